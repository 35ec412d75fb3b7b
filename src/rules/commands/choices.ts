import {defined} from '../../lib/values.ts';
import type {ItemOf, Kind} from '../../state/item.ts';
import type {Labelled} from '../../state/items/kind.ts';
import {type ChoiceOf, kindOf, snoozeWord} from '../../state/items.ts';
import type {State} from '../../state/state.ts';

export type Verb = ChoiceOf['verb'] | typeof snoozeWord;

/** A choice of an item, as shown to a person. */
export type OfferedChoice = Omit<Labelled, 'wants'> & {
	/** Words to type. */
	readonly choice: string;
	readonly verb: Verb;
	/** Reason why it can't be taken now, with any note or patch. */
	readonly whyNot?: string;
};

/** Returns the choices of an item, in the order in which they are shown. */
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

/** Any item can wait; for a question the label says so, since the agent may continue without an answer. */
const later: OfferedChoice = {
	choice: snoozeWord,
	verb: snoozeWord,
	label: 'Look at it later',
};

/** Precaution before a choice is taken: the work must be complete and seen, or a person confirms that it is ended, dropped or set back. */
export type Care = 'takes work' | 'ends' | 'drops' | 'sets back' | 'none';

/** Returns whether a choice takes an agent's work. */
export const takesWork = ({verb}: {readonly verb: Verb}): boolean => careOf[verb] === 'takes work';

/** Precaution of each verb; the compiler requires an entry for a new one. A person who hands a subtask on writes a new one, so that needs no confirmation. */
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
