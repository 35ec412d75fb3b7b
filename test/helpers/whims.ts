import fc from 'fast-check';
import type {Body} from '../../src/events/event.ts';
import {Failure} from '../../src/lib/failure.ts';
import type {Effect} from '../../src/rules/effects/effect.ts';
import {agentsToMerge} from '../../src/state/merge/members.ts';
import type {Act, Behaviour, Seen} from './fake-world.ts';
import {hear, report} from './given.ts';
import {mergeBuilt} from './happened.ts';
import {evidenceAt} from './merging.ts';
import {quietOutcome} from './quiet-outcome.ts';
import {published} from './recorded-world.ts';
import {words} from './words.ts';

export const whimOf = (generate: fc.GeneratorValue): Whim => ({
	oneIn: count => generate(fc.nat, {max: count - 1}) === 0,
	among: choices => {
		const chosen = choices[generate(fc.nat, {max: choices.length - 1})];
		if (chosen === undefined) {
			throw new Error('There is nothing to choose among.');
		}

		return chosen;
	},
	calm: false,
});

/** Makes random choices of the world and the person; once it is calm, everything succeeds. */
export type Whim = {
	readonly oneIn: (count: number) => boolean;
	readonly among: <T extends object | string>(choices: readonly T[]) => T;
	calm: boolean;
};

const done: readonly Act[] = [
	...hear(report('success')).map((signal): Act => ({does: 'say', signal})),
	{does: 'end', end: {by: 'exit', code: 0}},
];

const ends: readonly Act[] = [
	{does: 'end', end: {by: 'exit', code: 0}},
	{does: 'end', end: {by: 'exit', code: 0}},
	{does: 'end', end: {by: 'exit', code: 1}},
	{does: 'end', end: {by: 'signal', signal: 'SIGSEGV'}},
	{does: 'end', end: {by: 'stopped'}},
];

/** Returns a behaviour of agents, git and the disk that follows the random choices. */
export const behaviourOf = (whim: Whim): Behaviour => ({
	acts: () => {
		failAtTimes(whim);
		if (whim.calm || whim.oneIn(2)) {
			return done;
		}

		const said = [0, 1, 2].flatMap((): Act[] =>
			whim.oneIn(2) ? [{does: 'say', signal: whim.among(words)}] : [],
		);
		return [...said, ...(whim.oneIn(3) ? [{does: 'listen'} as const] : []), whim.among(ends)];
	},
	outcome: (effect, seen) => {
		failAtTimes(whim);
		switch (effect.do) {
			case 'build':
				return built(whim, seen);
			case 'verify':
				return [checked(effect, whim.calm || !whim.oneIn(3))];
			case 'publish':
				return !whim.calm && whim.oneIn(3) ? [refused(whim, effect)] : published(effect, seen);
			default:
				return quietOutcome(seen.state, effect);
		}
	},
});

const failAtTimes = (whim: Whim): void => {
	if (!whim.calm && whim.oneIn(4)) {
		throw new Failure(whim.oneIn(4) ? 'refused' : 'internal', 'The disk is full.');
	}
};

const built = (whim: Whim, {state, events}: Seen): readonly Body[] => {
	const accepted = agentsToMerge(state).map(({id}) => id);
	const open = state.items.filter(({kind}) => kind === 'conflict');
	const gone = open.map(({id}): Body => ({kind: 'conflict.gone', conflict: id}));
	const [one, other = 'target'] = accepted;
	if (!whim.calm && one !== undefined && whim.oneIn(2)) {
		if (whim.oneIn(4)) {
			const gitSettings = {digest: `settings-${events.length}`, changed: ['.git/config']};
			return [...gone, {kind: 'merge.blocked', conflicts: [], gitSettings}];
		}

		const sides = other === 'target' ? {a: [other], b: [one]} : {a: [one], b: [other]};
		const stages = {base: null, a: null, b: null};
		const paths = whim.oneIn(2) ? ['a.txt'] : ['a.txt', 'b.txt'];
		return [
			...gone,
			...paths.map(
				(path): Body => ({
					kind: 'conflict.found',
					path,
					...sides,
					type: 'FILE_CONFLICT',
					summary: 'both',
					stages,
					evidence: evidenceAt(path),
				}),
			),
			{kind: 'merge.blocked', conflicts: []},
		];
	}

	const commit = `result-${events.length}`;
	const tip = state.session?.tip ?? '';
	return [...gone, mergeBuilt({commit, tree: commit, tip, agents: accepted})];
};

const checked = ({commit, tree}: Extract<Effect, {do: 'verify'}>, ok: boolean): Body => ({
	kind: 'verify.ended',
	commit,
	tree,
	ok,
	commands: [{command: 'npm test', code: ok ? 0 : 1}],
	log: null,
});

const refused = (whim: Whim, {commit}: Extract<Effect, {do: 'publish'}>): Body => ({
	kind: 'merge.refused',
	commit,
	cause: whim.among(['dirty-checkout', 'settings-changed'] as const),
	message: 'It can’t be moved.',
	hint: 'look',
});
