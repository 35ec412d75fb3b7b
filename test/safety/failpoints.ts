import type {Body} from '../../src/events/event.ts';
import {crowded, gone, hindered, leftOut, lingering, restored} from './rare-scenes.ts';
import {collision, live, quiet, type Scene, stacked} from './scenes.ts';
import {canMount} from './small-disk.ts';

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

/** Those that only rare scenes have, or that need not come once more after a death just before them. */
const rareKinds: typeof kinds = [
	[quiet, ['scope.left']],
	[restored, ['snapshot.restored']],
	[hindered, ['merge.refused']],
	[leftOut, ['conflict.gone']],
	[gone, ['effect.failed']],
	[lingering, ['deadline.passed']],
	...(canMount ? [[crowded, ['turn.changed', 'machine.disk']] as const] : []),
];

const sides = ['before', 'after'] as const;

/** Which worktrees of the scene that stacks work are made and changed: the first one, one on another's work, one that was lost, one that is put on other work. */
const worktrees = [1, 3, 4, 5];

/** The moments around each of them, and a second supervisor that dies over what the first one left. */
const aroundWorktrees: readonly Failpoint[] = worktrees.flatMap(number => [
	...sides.map(side => ({scene: stacked, failpoints: [`${side}:workspace.prepared:${number}`]})),
	{
		scene: stacked,
		failpoints: [`before:workspace.prepared:${number}`, 'before:workspace.prepared:1'],
	},
]);

/** The moments around events, the first of their kind or a later one: one supervisor dies just before, the one after it just after it is written. */
export const failpoints = (occurrence: number): readonly Failpoint[] => [
	...eachOf(kinds).map(({scene, kind}) => ({
		scene,
		failpoints: sides.map(side => `${side}:${kind}:${occurrence}`),
	})),
	...(occurrence === 1 ? aroundWorktrees : []),
	// A supervisor that takes up what another one left may be killed over it in turn.
	...sides.map(side => ({
		scene: quiet,
		failpoints: ['after:turn.started:2', `${side}:supervisor.started:${occurrence}`],
	})),
];

/** The same of events that seldom happen, each death in a session of its own. */
export const rareFailpoints = (occurrence: number): readonly Failpoint[] =>
	eachOf(rareKinds).flatMap(({scene, kind}) =>
		sides.map(side => ({scene, failpoints: [`${side}:${kind}:${occurrence}`]})),
	);

const eachOf = (scenes: typeof kinds) =>
	scenes.flatMap(([scene, its]) => its.map(kind => ({scene, kind})));
