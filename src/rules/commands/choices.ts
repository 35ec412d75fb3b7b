import {defined} from '../../lib/values.ts';
import type {ItemOf, Kind} from '../../state/item.ts';
import type {ChoiceOf} from '../../state/items.ts';
import {kindOf, snoozeWord} from '../../state/items.ts';
import type {State} from '../../state/state.ts';

export type Verb = ChoiceOf['verb'] | typeof snoozeWord;

/** A choice of an item, as shown to a person. */
export type OfferedChoice = {
	/** The words that are typed to take it. */
	readonly choice: string;
	readonly verb: Verb;
	readonly label: string;
	/** The agents that it takes out of the session. */
	readonly ends?: readonly string[];
	/** Whether the decision needs a note, or can have one. */
	readonly note?: 'required' | 'optional';
	/** Why it can't be taken now, whatever is supplied with it. */
	readonly whyNot?: string;
};

/** Returns the ways to decide an item, in the order in which they are shown. */
export const choicesOf = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
): readonly OfferedChoice[] => {
	const kind = kindOf<K>(item);
	const offered = kind.offers(state, item).map(({choice, label, ends, note}) => {
		const whyNot = kind.whyNot(state, item, choice);
		return {
			choice: kind.words(choice),
			verb: choice.verb,
			label,
			...defined({ends, note, whyNot}),
		};
	});
	return item.kind === 'question' ? [...offered, later] : offered;
};

/** Anything can wait; a question says so, since an agent may go on without an answer. */
const later: OfferedChoice = {
	choice: snoozeWord,
	verb: snoozeWord,
	label: 'Look at it later',
};

/** Precaution before a choice is taken: that all of a work is there and was seen, or that a person confirms to end, drop or set it back. */
export type Care = 'takes work' | 'ends' | 'drops' | 'sets back' | 'none';

/** Returns whether a choice takes an agent's work. */
export const takesWork = ({verb}: {readonly verb: Verb}): boolean => careOf[verb] === 'takes work';

/** Precaution of each verb; the compiler requires an entry for a new one. Whoever hands a subtask on writes what is to be done, and so is asked nothing more. */
export const careOf: Readonly<Record<Verb, Care>> = {
	merge: 'takes work',
	'merge-now': 'takes work',
	'merge-all': 'takes work',
	'merge-and-stop': 'takes work',
	'merge-with': 'takes work',
	complete: 'takes work',
	salvage: 'takes work',
	abort: 'ends',
	abandon: 'drops',
	restore: 'sets back',
	'retry-from': 'sets back',
	accept: 'none',
	again: 'none',
	always: 'none',
	'always-all': 'none',
	answer: 'none',
	approve: 'none',
	arbiter: 'none',
	cancel: 'none',
	check: 'none',
	'choose-one': 'none',
	continue: 'none',
	delegate: 'none',
	'delegate-wait': 'none',
	done: 'none',
	drop: 'none',
	edit: 'none',
	extend: 'none',
	feedback: 'none',
	'feedback-all': 'none',
	help: 'none',
	login: 'none',
	manual: 'none',
	reword: 'none',
	once: 'none',
	redistribute: 'none',
	redo: 'none',
	refuse: 'none',
	reject: 'none',
	resolved: 'none',
	retry: 'none',
	run: 'none',
	sequential: 'none',
	open: 'none',
	session: 'none',
	skip: 'none',
	snooze: 'none',
	take: 'none',
	types: 'none',
	widen: 'none',
};
