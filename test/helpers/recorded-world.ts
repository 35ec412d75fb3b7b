import type {Body, Event} from '../../src/events/event.ts';
import {Failure} from '../../src/lib/failure.ts';
import {isSame as isSameData} from '../../src/lib/values.ts';
import type {Effect} from '../../src/rules/effects/effect.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {acceptedAgents} from '../../src/state/merge/members.ts';
import {agentOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';
import type {Act, Behaviour, Seen} from './fake-world.ts';
import {mergeBuilt, mergePublished} from './happened.ts';
import {quietOutcome} from './quiet-outcome.ts';

/**
Returns a world that behaves like a recording.

An agent continues where its heard words end, like one that looks at its worktree; git and the check have the same results for the same work.
*/
export const recordedBehaviour = (recording: readonly Event[]): Behaviour => {
	const results = resultsOf(recording);
	return {
		acts: (effect, {state, events}) => {
			const replied = (agentOf(state, effect.agent)?.replies ?? []).length > 0;
			return actsFrom(actsOf(recording, effect.agent), events, effect.agent, replied);
		},
		outcome: (effect, seen) => {
			failAsRecorded(recording, effect, seen);
			switch (effect.do) {
				case 'build':
					return built(recording, results, seen);
				case 'verify':
					return [verified(recording, effect, seen)];
				case 'publish':
					return published(effect, seen);
				default:
					return quietOutcome(seen.state, effect);
			}
		},
	};
};

/** Returns all actions of one agent, turn by turn; a turn that a crash cut off has no end. */
const actsOf = (recording: readonly Event[], agent: string): readonly Act[] =>
	recording.flatMap((event): Act[] => {
		if (!('agent' in event) || event.agent !== agent) {
			return [];
		}

		switch (event.kind) {
			case 'signal.said':
				return [{does: 'say', signal: event.signal}];
			case 'reply.delivered':
				return [{does: 'listen'}];
			case 'turn.ended':
				return event.end.by === 'lost' ? [] : [{does: 'end', end: event.end}];
			default:
				return [];
		}
	});

const actsFrom = (
	acts: readonly Act[],
	events: readonly Event[],
	agent: string,
	replied: boolean,
): readonly Act[] => {
	const own = events.filter(event => 'agent' in event && event.agent === agent);
	const said = own.filter(({kind}) => kind === 'signal.said').length;
	const ended = own.filter(event => event.kind === 'turn.ended' && event.end.by !== 'lost').length;
	const from = Math.max(behind(acts, 'say', said), behind(acts, 'end', ended));
	const left = acts.slice(from);
	const next = left.findIndex(({does}) => does === 'say');
	const rest = replied && next !== -1 ? left.slice(next) : left;
	const end = rest.findIndex(({does}) => does === 'end');
	return end === -1 ? rest : rest.slice(0, end + 1);
};

/** Returns the index after the last of a number of actions of a kind. */
const behind = (acts: readonly Act[], kind: Act['does'], count: number): number => {
	const positions = acts.flatMap(({does}, position) => (does === kind ? [position + 1] : []));
	return count === 0 ? 0 : (positions[count - 1] ?? acts.length);
};

const failAsRecorded = (recording: readonly Event[], {key}: Effect, {events}: Seen): void => {
	const failures = (list: readonly Event[]) =>
		list.flatMap(event =>
			event.kind === 'effect.failed' && isSameData(event.effect, key) ? [event] : [],
		);
	const failure = failures(recording)[failures(events).length];
	if (failure) {
		throw new Failure(failure.final ? 'refused' : 'internal', failure.message);
	}
};

type Result = Extract<Body, {kind: 'merge.built'}>;

/** Returns the results by the work that they were built from. */
const resultsOf = (recording: readonly Event[]): ReadonlyMap<string, Result> =>
	new Map(
		recording.flatMap((event, index): [string, Result][] => {
			if (event.kind !== 'merge.built') {
				return [];
			}

			const before = recording.slice(0, index);
			const {seq: _, at: __, ...result} = event;
			return [[workKey(fold(before), before), result]];
		}),
	);

/** Returns a key of everything that goes into a result: the tip, the agents, their snapshots, and the resolutions. */
const workKey = (state: State, events: readonly Event[]): string =>
	JSON.stringify([
		state.session?.tip,
		acceptedAgents(state).map(({id}) => [
			id,
			events.filter(event => event.kind === 'signal.said' && event.agent === id).length,
		]),
		// The opening time of the settled item is no part of the resolution.
		state.resolutions.map(({...resolution}) => ({...resolution, settles: undefined})),
	]);

type Found = Extract<Body, {kind: 'conflict.found'}>;

const built = (
	recording: readonly Event[],
	results: ReadonlyMap<string, Result>,
	{state, events}: Seen,
): readonly Body[] => {
	const open = state.items.filter(item => item.kind === 'conflict');
	const found = recording
		.filter((event): event is Found & Event => event.kind === 'conflict.found')
		.filter(conflict => collides(state, conflict));
	const fresh = found.filter(conflict => !open.some(item => isSame(item, conflict)));
	const gone = open.filter(item => !found.some(conflict => isSame(item, conflict)));
	const closed = gone.map(({id}): Body => ({kind: 'conflict.gone', conflict: id}));
	if (found.length > 0) {
		return [
			...closed,
			...fresh.map(({seq: _, at: __, ...conflict}): Body => conflict),
			{kind: 'merge.blocked', conflicts: []},
		];
	}

	const key = workKey(state, events);
	const unknown = mergeBuilt({
		commit: `never recorded: ${key}`,
		tree: `never recorded: ${key}`,
		tip: state.session?.tip ?? '',
		agents: acceptedAgents(state).map(({id}) => id),
	});
	return [...closed, results.get(key) ?? unknown];
};

type Sides = {readonly path: string; readonly a: readonly string[]; readonly b: readonly string[]};

const isSame = (one: Sides, other: Sides): boolean =>
	JSON.stringify([one.path, one.a, one.b]) === JSON.stringify([other.path, other.a, other.b]);

/** Returns whether both sides are in the merge, neither is stacked on the other, and the conflict is not resolved. */
const collides = (state: State, conflict: Sides): boolean => {
	const names = [...conflict.a, ...conflict.b];
	const accepted = acceptedAgents(state);
	const moved = state.session?.tip !== state.session?.base;
	const isIn = (name: string) => (name === 'target' ? moved : accepted.some(({id}) => id === name));
	const stacked = accepted.some(
		({id, workspace}) =>
			names.includes(id) &&
			workspace.phase === 'ready' &&
			workspace.onto.some(other => names.includes(other)),
	);
	const resolved = state.resolutions.some(resolution => isSame(resolution, conflict));
	return names.every(isIn) && !stacked && !resolved;
};

type Verified = Extract<Body, {kind: 'verify.ended'}>;

/** Returns the result of the check, which may differ in the next run. */
const verified = (
	recording: readonly Event[],
	{commit, tree}: Extract<Effect, {do: 'verify'}>,
	{events}: Seen,
): Body => {
	const checks = (list: readonly Event[]) =>
		list.filter(
			(event): event is Verified & Event =>
				event.kind === 'verify.ended' && event.commit === commit,
		);
	const known = checks(recording);
	const {ok, commands} = known[checks(events).length] ?? known.at(-1) ?? {ok: true, commands: []};
	return {kind: 'verify.ended', commit, tree, ok, commands, log: null};
};

/** Returns the events of publishing: the target moves only from the commit on which the result was built; if it is there already, it has moved. */
export const published = (
	{commit, from}: Extract<Effect, {do: 'publish'}>,
	{state, tip, moveTip}: Seen,
): readonly Body[] => {
	if (tip !== from && tip !== commit) {
		return [
			{kind: 'target.moved', from, to: tip},
			{kind: 'merge.refused', commit, cause: 'target-moved', message: 'It moved.', hint: ''},
		];
	}

	moveTip(commit);
	const agents = state.merge.phase === 'intended' ? state.merge.built.agents : [];
	return [mergePublished({commit, from, agents})];
};
