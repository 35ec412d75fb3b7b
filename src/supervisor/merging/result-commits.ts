import {oneLine} from '../../agents/turn.ts';
import {target} from '../../conflicts/input.ts';
import type {BodyOf} from '../../events/event.ts';
import type {LeftOut} from '../../events/kinds/merge-event.ts';
import {withPatience} from '../../git/process/patience.ts';
import {commitAsPerson, type PersonCommit} from '../../git/store/person-commit.ts';
import type {CommitParts} from '../../git/store/store.ts';
import {changes} from '../../git/tree/changes.ts';
import {treeOfCommit} from '../../git/tree/commit.ts';
import {Failure} from '../../lib/failure.ts';
import {firstLine} from '../../lib/text/words.ts';
import {defined, isSame} from '../../lib/values.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isMergedWhole, leftOutNotes, resolutionsAmong} from '../../state/merge/members.ts';
import type {Resolution} from '../../state/merge/merge.ts';
import type {State} from '../../state/state.ts';
import {waiting} from '../machine/survivors.ts';
import {requireSession, type World} from '../world.ts';
import {fittedTree, putTogether, requireInScope} from './fit-result.ts';

/** Tree to merge: the work of these agents on the target's tip. */
type Result = {
	readonly agents: readonly Agent[];
	readonly tip: string;
	readonly tree: string;
	readonly leftOut: readonly LeftOut[];
};

type Committed = Pick<BodyOf<'merge.built'>, 'commit' | 'message' | 'commits' | 'unsigned'>;

/** Writes a result into the store as one commit or as one per agent, as the plan asks, and returns the last commit, which has the result's tree. */
export const commitResult = async (
	world: World,
	state: State,
	result: Result,
): Promise<Committed> => {
	const {tip, tree, agents, leftOut} = result;
	const isDivided = requireSession(state).plan.merge === 'per-agent' && agents.length > 1;
	const parts = isDivided ? await partsOf(world, state, result) : [];
	if (parts.length < 2) {
		const message = messageOf(state, agents, leftOut);
		return {...(await commit(world, {tree, parents: [tip], message})), message};
	}

	const commits: {commit: string; message: string}[] = [];
	let parent = tip;
	let unsigned: string | undefined;
	for (const [index, part] of parts.entries()) {
		const left = index === parts.length - 1 ? leftOutNotes(leftOut) : [];
		const message = messageOfPart(state, part.agents, left);
		const made = await commit(world, {tree: part.tree, parents: [parent], message});
		commits.push({commit: made.commit, message});
		parent = made.commit;
		unsigned ??= made.unsigned;
	}

	return {commit: parent, commits, ...defined({unsigned})};
};

/** Tree with the work of these agents and of all agents before them. */
type Part = {readonly tree: string; readonly agents: readonly Agent[]};

/** Divides a result by agent. Work that depends on another agent's goes into the same part; empty work goes into none. */
const partsOf = async (
	world: World,
	state: State,
	{agents, tip, tree}: Result,
): Promise<readonly Part[]> => {
	const parts: Part[] = [];
	const ordered = inOrder(agents);
	const decided = resolutionsAmong(
		state.resolutions,
		agents.map(({id}) => id),
	);
	let before = await treeOfCommit(world.store, tip);
	let joined: readonly Agent[] = [];
	for (const [index, agent] of ordered.entries()) {
		joined = [...joined, agent];
		const upTo = ordered.slice(0, index + 1);
		const now =
			upTo.length === ordered.length
				? tree
				: await treeWith(world, {...state, resolutions: decided}, upTo);
		if (now !== undefined && now !== before) {
			parts.push({tree: now, agents: joined});
			before = now;
			joined = [];
		}
	}

	return parts;
};

/**
Returns the fitted tree of some agents' work; `undefined` if it can't be merged separately.

It can't if a person decided between it and later work: the history would contain the rejected version. Each part must pass the checks of the whole result, since a later part may revert an earlier one.
*/
const treeWith = async (
	world: World,
	state: State,
	agents: readonly Agent[],
): Promise<string | undefined> => {
	const ids = agents.map(({id}) => id);
	if (state.resolutions.some(resolution => isBeyond(resolution, ids))) {
		return undefined;
	}

	try {
		const {kind, tree} = await putTogether(world, state, ids);
		if (kind === 'conflicts') {
			return undefined;
		}

		const changed = await changes(world.store, requireSession(state).tip, tree);
		requireInScope(changed, agents, state);
		return await fittedTree(world, state, tree);
	} catch (error) {
		if (error instanceof Failure && error.kind === 'refused') {
			return undefined;
		}

		throw error;
	}
};

/** Returns whether a decision is about some of these agents and about others. */
const isBeyond = ({choice, a, b}: Resolution, ids: readonly string[]): boolean => {
	const agents = [...a, ...b].filter(name => name !== target);
	return choice !== 'accept' && new Set(agents.map(id => ids.includes(id))).size > 1;
};

/** Sorts agents so that each comes after those that it waits for; otherwise in the plan's order. */
const inOrder = (agents: readonly Agent[]): readonly Agent[] => {
	const ordered: Agent[] = [];
	const add = (agent: Agent, above: readonly Agent[]): void => {
		if (!ordered.includes(agent) && !above.includes(agent)) {
			for (const other of agents.filter(({id}) => agent.subtask.after.includes(id))) {
				add(other, [...above, agent]);
			}

			ordered.push(agent);
		}
	};
	for (const agent of agents) {
		add(agent, []);
	}

	return ordered;
};

/** Creates a commit patiently: a signing program may wait for a passphrase or for the touch of a key. */
const commit = (world: World, parts: Omit<CommitParts, 'identity' | 'at'>): Promise<PersonCommit> =>
	withPatience({onWait: wait => world.report(waiting(wait))}, () =>
		commitAsPerson(world.repository, world.store, {...parts, at: world.now()}),
	);

/** Returns the commit message. A person's message counts only for exactly these agents. Several merges of a session share one task, so each subject names the agents. */
const messageOf = (state: State, agents: readonly Agent[], leftOut: readonly LeftOut[]): string => {
	const ids = agents.map(({id}) => id);
	if (state.message !== null && isSame(state.message.agents, ids)) {
		return state.message.text;
	}

	const {plan} = requireSession(state);
	const [task = '', ...more] = plan.task.trim().split('\n');
	const part = isMergedWhole(state) ? '' : ` (${ids.join(', ')})`;
	const works = agents.map(({id, subtask}) => oneLine(`${id}: ${subtask.subtask}`));
	const notes = [...works, ...leftOutNotes(leftOut)];
	return text(state, [`${task}${part}`, ...more, '', ...notes.map(note => `- ${note}`)]);
};

/** Longest subject that `git log --oneline` shows in full in a common terminal. */
const longestSubject = 72;

const workText = ({id, subtask: {subtask, goal}}: Agent): string =>
	oneLine(`${id}: ${subtask.trim()}${goal === undefined ? '' : `; goal: ${goal}`}`);

const messageOfPart = (state: State, agents: readonly Agent[], left: readonly string[]): string => {
	const [task = ''] = requireSession(state).plan.task.trim().split('\n');
	const subjects = agents.map(({subtask}) => firstLine(subtask.subtask, longestSubject));
	return text(state, [
		firstLine(subjects.join('; '), longestSubject),
		'',
		`A part of: ${task}`,
		'',
		...[...agents.map(workText), ...left].map(note => `- ${note}`),
	]);
};

const text = (state: State, lines: readonly string[]): string => {
	const {trailers = ['Merged-by: delegate-tui']} = requireSession(state).settings;
	return [...lines, ...(trailers.length === 0 ? [] : ['', ...trailers]), ''].join('\n');
};
