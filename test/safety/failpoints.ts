import type {Body} from '../../src/events/event.ts';
import {collision, live, quiet, type Scene} from './scenes.ts';

/** A moment at which a supervisor is killed. */
export type Failpoint = {
	readonly scene: Scene;
	/** Where the supervisors die, the first one first. */
	readonly failpoints: readonly string[];
};

type Kind = Body['kind'];

/** The kinds of events that each scene surely has. */
const kinds: readonly (readonly [Scene, readonly Kind[]])[] = [
	[
		quiet,
		[
			'session.started',
			'supervisor.started',
			'workspace.prepared',
			'agent.moved',
			'turn.started',
			'signal.said',
			'turn.ended',
			'snapshot.taken',
			'scope.left',
			'user.decided',
			'merge.built',
			'verify.ended',
			'merge.intended',
			'merge.published',
			'session.ended',
		],
	],
	[collision, ['conflict.found', 'merge.blocked', 'resolution.opened', 'target.moved']],
	[live, ['conversation.opened', 'permission.asked', 'reply.delivered']],
];

const sides = ['before', 'after'] as const;

/** The moments just before and just after an event is written, the first of its kind or a later one. */
export const failpoints = (occurrence: number): readonly Failpoint[] => [
	...kinds.flatMap(([scene, its]) =>
		its.flatMap(kind =>
			sides.map(side => ({scene, failpoints: [`${side}:${kind}:${occurrence}`]})),
		),
	),
	// A supervisor that takes up what another one left may be killed over it in turn.
	...sides.map(side => ({
		scene: quiet,
		failpoints: ['after:turn.started:2', `${side}:supervisor.started:${occurrence}`],
	})),
];
