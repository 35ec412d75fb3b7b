import {listIn} from '../state/choice.ts';
import type {Item, ItemOf} from '../state/item.ts';
import {undoOf} from '../state/landing.ts';
import {judge, whyBadGlob} from '../state/scope.ts';
import {agentOf, itemOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {choicesOf, offers} from './choices.ts';
import type {Command, Decision} from './command.ts';

/**
Returns in words why a command can't be granted, or nothing when it can.

One sentence with three uses: it greys a key, the command line prints it, the loop guards with it.
*/
export const whyNot = (state: State, command: Command): string | undefined => {
	if (command.kind === 'start') {
		return state.session && !state.session.ended
			? `Session ${state.session.session} is active in this repository; one at a time.`
			: undefined;
	}

	if (!state.session || state.session.ended) {
		return 'No session is active in this repository.';
	}

	if (state.session.stopping !== undefined) {
		return 'The session is being stopped.';
	}

	switch (command.kind) {
		case 'stop':
			return publishing(state);
		case 'add':
			return publishing(state) ?? whyNotAdd(state, command.subtask.id);
		case 'decide':
			return whyNotDecide(state, command);
	}
};

const publishing = (state: State): string | undefined =>
	state.merge.phase === 'intended' ? 'The approved result is being merged.' : undefined;

const whyNotAdd = (state: State, id: string): string | undefined =>
	agentOf(state, id) ? `There is an agent ${id} already.` : undefined;

const whyNotDecide = (state: State, command: Decision): string | undefined => {
	const item = itemOf(state, command.item);
	if (!item) {
		return `No item ${command.item} waits for you; it was decided, or what it was about is gone.`;
	}

	return (
		whyNotBy(state, item, command) ??
		whyNotNote(state, item, command) ??
		whyNotNow(state, item, command) ??
		whyNotOffered(state, item, command)
	);
};

/** An approval is a person's, and the demo's person exists in the demo only. */
const whyNotBy = (state: State, item: Item, {by}: Decision): string | undefined => {
	if (by === 'demo' && !state.session?.demo) {
		return 'Scripted decisions are for the demo only.';
	}

	return by === 'policy' && !['checkpoint', 'review'].includes(item.kind)
		? 'Only a person can decide this.'
		: undefined;
};

/** What an item doesn't offer must not be taken for one of its choices, not even for the last one. */
const whyNotOffered = (state: State, item: Item, {choice}: Decision): string | undefined =>
	choice === 'snooze' || offers(state, item, choice)
		? undefined
		: `"${choice}" is not a choice for ${item.id}.`;

const whyNotNote = (state: State, item: Item, {choice, note}: Decision): string | undefined => {
	const listed = choicesOf(state, item).find(offered => offered.choice === choice);
	return listed?.note === 'required' && (note ?? '').trim() === ''
		? `"${choice}" needs a note that says what the agent is to do.`
		: undefined;
};

const whyNotNow = (state: State, item: Item, command: Decision): string | undefined => {
	switch (item.kind) {
		case 'plan':
			return whyNotEdit(state, command);
		case 'scope':
			return whyNotWiden(item, command);
		case 'review':
			return command.choice === 'merge' && agentOf(state, item.agent)?.verdict.kind === 'doomed'
				? 'This agent is being ended.'
				: undefined;
		case 'delegation':
			return command.choice === 'reject'
				? undefined
				: command.subtask === undefined
					? 'An approved delegation needs the subtask of its agent.'
					: whyNotAdd(state, command.subtask.id);
		case 'blocker':
			return command.choice !== 'delegate'
				? undefined
				: command.subtask === undefined
					? 'To delegate a blocked part needs the subtask of its agent.'
					: whyNotAdd(state, command.subtask.id);
		case 'failure':
			return command.choice === 'salvage' ? whyNotSalvage(state, item, command) : undefined;
		case 'conflict':
			return whyNotResolve(state, item, command);
		case 'verify':
			return command.choice === 'accept' && state.merge.phase !== 'verified'
				? 'There is no result to accept.'
				: undefined;
		case 'approval':
			return whyNotApprove(state, item, command);
		default:
			return undefined;
	}
};

const whyNotEdit = (state: State, {choice, plan}: Decision): string | undefined => {
	if (choice !== 'edit') {
		return undefined;
	}

	if (plan === undefined) {
		return 'An edit needs the plan file that replaces this one.';
	}

	const target = state.session?.target;
	return plan.target === undefined || plan.target === target
		? undefined
		: `This session merges into ${target}; a plan for ${plan.target} needs a session of its own.`;
};

/** What the global list forbids no decision can allow, and a glob that can't be read would allow nothing. */
const whyNotWiden = (item: ItemOf<'scope'>, {choice, note}: Decision): string | undefined => {
	if (choice === 'widen' && note !== undefined) {
		return whyBadGlobs(listIn(note));
	}

	const stray =
		choice === 'once' || choice === 'widen'
			? item.paths.find(path => judge({allowed: [path], forbidden: []}, path) !== 'allowed')
			: undefined;
	return stray === undefined ? undefined : `No agent may write ${stray}.`;
};

const whyBadGlobs = (globs: readonly string[]): string | undefined =>
	globs
		.map(glob => ({glob, why: whyBadGlob(glob)}))
		.filter(({why}) => why !== undefined)
		.map(({glob, why}) => `The glob "${glob}" ${why}.`)[0];

const whyNotSalvage = (
	state: State,
	item: ItemOf<'failure'>,
	{note}: Decision,
): string | undefined => {
	const last = agentOf(state, item.agent)?.snapshots.at(-1);
	if (last === undefined) {
		return 'No snapshot of it was taken, so there is nothing to salvage.';
	}

	return last.files === 0
		? 'It changed no file inside its scope, so there is nothing to salvage.'
		: whyBadGlobs(listIn(note ?? ''));
};

const whyNotResolve = (
	state: State,
	item: ItemOf<'conflict'>,
	command: Decision,
): string | undefined => {
	if (state.merge.phase !== 'blocked') {
		return 'What goes into the merge is changing; the conflict will be looked at anew.';
	}

	const {choice, seen} = command;
	if (choice.startsWith('sequential:')) {
		const earlier = choice.slice('sequential:'.length).split(',').slice(0, -1);
		const above = earlier.find(name => collidesWithTarget(state, item, name));
		return above === undefined
			? undefined
			: `${above} collides with the target itself; resolve that first.`;
	}

	if (choice !== 'done') {
		return undefined;
	}

	if (seen?.marked?.length) {
		return `Conflict markers remain in ${seen.marked.join(', ')}.`;
	}

	return seen?.files?.length ? undefined : 'The resolution folder holds no file to take.';
};

/** Whether another open conflict has the agent on one side and the target on the other one. */
const collidesWithTarget = (state: State, item: ItemOf<'conflict'>, agent: string): boolean =>
	state.items.some(
		other =>
			other.kind === 'conflict' &&
			other.id !== item.id &&
			((other.a.includes('target') && other.b.includes(agent)) ||
				(other.b.includes('target') && other.a.includes(agent))),
	);

const whyNotApprove = (
	state: State,
	item: ItemOf<'approval'>,
	{choice, seen}: Decision,
): string | undefined => {
	if (choice !== 'approve') {
		return undefined;
	}

	if (undoOf(state.landing) !== undefined) {
		return `${state.session?.target} is being moved, since a merge is taken back or brought back.`;
	}

	return seen?.tip !== undefined && seen.tip !== item.tip
		? `${state.session?.target} has moved since this result was built; it is being built anew.`
		: undefined;
};
