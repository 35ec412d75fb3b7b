import type {DecidedBy} from '../../events/event.ts';
import type {ItemOf, Kind} from '../../state/item.ts';
import {whyNotAdd} from '../../state/items/offers.ts';
import {kindOf, offerOf, takes} from '../../state/items.ts';
import {broughtBy} from '../../state/rivals/parts-named.ts';
import {agentOf, agentOfItem, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {takesWork} from './care.ts';
import type {Command, Decision} from './command.ts';
import {decidedItem, lacksNote} from './decided-item.ts';
import {whyNotClock} from './why-not-clock.ts';
import {whyNotSteer} from './why-not-steer.ts';

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

	const inactive = whyInactive(state);
	if (inactive !== undefined) {
		return inactive;
	}

	switch (command.kind) {
		case 'stop':
			return publishing(state);
		case 'withdraw':
			return state.allowances.some(({id}) => id === command.allowance)
				? undefined
				: `There is no permission ${command.allowance} in this session.`;
		case 'add':
			return publishing(state) ?? whyNotAdd(state, command.subtask.id);
		case 'steer':
			return publishing(state) ?? whyNotSteer(state, command);
		case 'snooze':
			return itemOf(state, command.item) ? undefined : whyGone(state, command.item);
		case 'clock': {
			const item = itemOf(state, command.item);
			return item?.kind === 'question'
				? whyNotClock(state, item, command.to)
				: whyGone(state, command.item);
		}
		case 'answer':
			return whyNotAnswer(state, command);
		case 'decide':
			return whyNotDecide(state, command);
	}
};

/** Returns in words why nothing can be decided on an item that does not wait for a person any more. */
export const whyGone = (state: State, id: string): string =>
	whyInactive(state) ??
	`No item ${id} waits for you; it was decided, or what it was about is gone.`;

const whyInactive = ({session}: State): string | undefined => {
	if (!session || session.ended) {
		return 'No session is active in this repository.';
	}

	return session.stopping === undefined ? undefined : 'The session is being stopped.';
};

const publishing = (state: State): string | undefined =>
	state.merge.phase === 'intended' ? 'The approved result is being merged.' : undefined;

const whyNotDecide = <K extends Kind>(state: State, decision: Decision<K>): string | undefined => {
	const item = decidedItem(state, decision);
	if (item === undefined) {
		return whyGone(state, decision.item);
	}

	const {choice} = decision;
	const kind = kindOf<K>(item);
	return (
		whyNotBy(state, decision) ??
		whyNotOffered(state, item, decision) ??
		whyNoNote(state, item, decision) ??
		whyNotAlso(decision) ??
		whyNotYet(state, item, decision) ??
		kind.whyNot(state, item, choice) ??
		kind.whyNotWith(state, item, choice, decision)
	);
};

/** Whatever else takes an agent's work would take what comes along for its own. */
const whyNotAlso = ({choice, picked}: Pick<Decision, 'choice' | 'picked'>): string | undefined =>
	picked?.also === undefined || choice.verb === 'merge-with'
		? undefined
		: 'Parts of further works are taken by "merge-with" alone, which brings those of rivals.';

/** Work is not taken while something that a person granted is still to come into it. */
const whyNotYet = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	{choice, note, seen}: Pick<Decision, 'choice' | 'note' | 'seen'>,
): string | undefined => {
	const others = choice.verb === 'merge-with' ? broughtBy(choice.agent, note, seen?.files) : [];
	const waiting = [agentOfItem(item) ?? '', ...others]
		.map(id => agentOf(state, id))
		.find(agent => agent?.granted !== undefined);
	return waiting !== undefined && takesWork(choice)
		? `What you granted ${waiting.id} is still being brought back; try again in a moment.`
		: undefined;
};

/** One that can't be taken stands against them all, so that nobody has to find out which were. */
const whyNotAnswer = (
	state: State,
	{answers}: Extract<Command, {kind: 'answer'}>,
): string | undefined => {
	for (const [index, answer] of answers.entries()) {
		const {item} = answer;
		const why = answers.slice(0, index).some(earlier => earlier.item === item)
			? 'It is answered twice.'
			: whyNotDecide(state, answer);
		if (why !== undefined) {
			return answers.length === 1 ? why : `${item}: ${why} None of the answers was given.`;
		}
	}

	return undefined;
};

/** An approval is a person's, and the demo's person exists in the demo only. */
const whyNotBy = (
	state: State,
	{on, by}: {readonly on: Kind; readonly by: DecidedBy},
): string | undefined => {
	if (by === 'demo' && !state.session?.demo) {
		return 'Scripted decisions are for the demo only.';
	}

	if (by === 'file' && on !== 'question') {
		return 'A file answers questions, and decides nothing else.';
	}

	return by === 'policy' && on !== 'checkpoint' && on !== 'review'
		? 'Only a person can decide this.'
		: undefined;
};

/** What an item doesn't offer must not be taken for one of its choices. */
const whyNotOffered = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	{choice}: Decision<K>,
): string | undefined =>
	takes(state, item, choice)
		? undefined
		: `"${kindOf<K>(item).words(choice)}" is not a choice for ${item.id}.`;

/** Says that a choice comes without the note it needs, if so. */
const whyNoNote = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	decision: Decision<K>,
): string | undefined =>
	lacksNote(state, item, decision)
		? `"${kindOf<K>(item).words(decision.choice)}" needs a note that says ${offerOf<K>(state, item, decision.choice)?.wants ?? 'what the agent is to do'}.`
		: undefined;
