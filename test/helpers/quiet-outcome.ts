import type {Body, BodyOf} from '../../src/events/event.ts';
import {defined} from '../../src/lib/values.ts';
import type {Effect} from '../../src/rules/effects/effect.ts';
import {conflictWords} from '../../src/state/items/conflict/conflict.ts';
import {agentOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';

/** Returns the events of an effect that succeeds without interference. */
export const quietOutcome = (state: State, effect: Effect): readonly Body[] => {
	switch (effect.do) {
		case 'prepare':
			return [workspacePrepared(effect.agent, state.session?.base)];
		case 'rework':
			return [workspacePrepared(effect.agent, state.session?.tip, effect.onto)];
		case 'restore':
			return [{kind: 'snapshot.restored', agent: effect.agent, number: effect.number}];
		case 'bring-back':
			return [
				snapshotTaken(state, effect.agent, `granted:${effect.since}`),
				{
					...{kind: 'scope.granted', agent: effect.agent, since: effect.since},
					...{paths: effect.paths, left: []},
				},
			];
		case 'start':
			return [turnStarted(state, effect)];
		case 'reply':
			return [
				{kind: 'reply.delivered', agent: effect.agent, turn: effect.turn, items: effect.items},
			];
		case 'run-command':
			return [
				{
					...{kind: 'command.ended', code: 0, tail: [], log: `commands/${effect.item}.log`},
					...{agent: effect.agent, item: effect.item, since: effect.since},
					command: effect.command,
				},
			];
		case 'end-turn':
			return [{kind: 'turn.ended', agent: effect.agent, turn: effect.turn, end: {by: 'stopped'}}];
		case 'snapshot':
			return [snapshotTaken(state, effect.agent, effect.reason)];
		case 'open-resolution':
			return [
				{
					kind: 'resolution.opened',
					conflict: effect.conflict,
					folder: `/resolutions/${effect.conflict}`,
				},
			];
		case 'clear-up':
			return [{kind: 'machine.interrupted', left: null}];
		case 'check-part':
			return [partChecked(effect, 'red')];
		case 'check-outcome':
			return [
				{
					...{kind: 'outcome.checked', put: 'put', tree: 'tree', outcome: 'green', left: []},
					...{conflict: effect.conflict, choice: conflictWords(effect.choice), since: effect.since},
					...{commands: [{command: 'npm test', code: 0}], log: null},
				},
			];
		case 'check-snapshot':
			return [snapshotChecked(state, effect, true)];
		case 'build':
		case 'verify':
		case 'publish':
			throw new Error(`What comes of ${effect.do} is not for a helper to say.`);
	}
};

/** Returns the check of a part of a failed result. */
export const partChecked = (
	{since, agents}: Extract<Effect, {do: 'check-part'}>,
	outcome: 'green' | 'red' | 'unclear',
): BodyOf<'part.checked'> => ({
	kind: 'part.checked',
	since,
	agents,
	tree: `tree of ${agents.join('+')}`,
	outcome,
	log: null,
});

/** Returns the plan's checks of a snapshot. */
export const snapshotChecked = (
	state: State,
	{agent: id, number, since}: Extract<Effect, {do: 'check-snapshot'}>,
	ok: boolean,
): BodyOf<'snapshot.checked'> => ({
	...{kind: 'snapshot.checked', agent: id, number, since, ok, log: null},
	tree: agentOf(state, id)?.snapshots.find(one => one.number === number)?.tree ?? '',
	commands: [{command: 'npm test', code: ok ? 0 : 1}],
});

/** Returns a ready worktree at a commit, stacked on the work of others. */
export const workspacePrepared = (
	agent: string,
	base = 'base',
	onto: readonly string[] = [],
): BodyOf<'workspace.prepared'> => ({
	kind: 'workspace.prepared',
	agent,
	base,
	baseline: `tree of ${base}`,
	onto,
	conflicts: [],
});

/** Returns the start of a turn, with the replies in its prompt. */
export const turnStarted = (
	state: State,
	{agent: id, turn, prompt}: Extract<Effect, {do: 'start'}>,
): BodyOf<'turn.started'> => {
	const {replies = [], access} = agentOf(state, id) ?? {};
	const items = prompt === 'reminder' ? [] : replies.map(({item}) => item);
	return {
		...{kind: 'turn.started', agent: id, turn, prompt, pid: 1000 + turn, startTime: '1', items},
		...defined({access: access?.length}),
	};
};

/** Returns a snapshot with one changed file. */
export const snapshotTaken = (
	state: State,
	agent: string,
	reason: string,
): BodyOf<'snapshot.taken'> => {
	const number = (agentOf(state, agent)?.snapshots.at(-1)?.number ?? 0) + 1;
	return {
		kind: 'snapshot.taken',
		agent,
		number,
		reason,
		commit: `${agent}-${number}`,
		tree: `${agent}-${number}-tree`,
		work: `${agent}-${number}-work`,
		files: 1,
		outside: [],
		claims: [],
	};
};
