import type {BodyOf, TakenFile} from '../../events/event.ts';
import type {Replayed} from '../../events/kinds/merge-event.ts';
import type {Picked} from '../../events/picked.ts';
import type {Program} from '../../events/plan.ts';
import type {Agent} from '../agent/agent.ts';
import type {ItemOf, Kind} from '../item.ts';
import type {State} from '../state.ts';
import type {SeenAnswer} from './question/answer.ts';

/** Label of a choice, with its conditions. */
export type Labelled = {
	readonly label: string;
	/** Agents that it takes out of the session, apart from those that a note names; only such choices do so, and the label says it. */
	readonly ends?: readonly string[];
	/** Whether the decision requires or allows a note. */
	readonly note?: 'required' | 'optional';
	/** Content of a required note; the agent's task by default. */
	readonly wants?: string;
};

/** A choice of an item, as offered to a person. */
export type Offer<Choice> = Labelled & {readonly choice: Choice};

/** Facts that the supervisor gathered for a decision. */
export type Seen = {
	/** Target's tip, for an approval. */
	readonly tip?: string;
	/** Files of the resolution folder, for `done`; files that a patch or a pick takes of an agent's work. */
	readonly files?: readonly TakenFile[];
	/** New doubts about these files. */
	readonly doubts?: readonly string[];
	/** Snapshots of an agent that apply to the work of others, for `sequential`. */
	readonly replayed?: Replayed;
	/** Files of the resolution folder that still contain conflict markers. */
	readonly marked?: readonly string[];
	readonly answer?: SeenAnswer;
};

/** Input of a choice before it is granted: from the person, and gathered by the supervisor. */
export type Supplied = Pick<BodyOf<'user.decided'>, 'note' | 'plan' | 'subtask'> & {
	/** Patch with the parts of an agent's work to take, one character per byte. */
	readonly patch?: string;
	/** Parts of the work that were picked on the screen. */
	readonly picked?: Picked;
	/** Doubts that the person was shown, and despite which they decide. */
	readonly despite?: readonly string[];
	/** Program of an arbiter, if no agent of the session has it. */
	readonly program?: Program;
	readonly seen?: Seen;
};

/** Input of a granted choice. */
export type Given = Omit<BodyOf<'user.decided'>, 'kind' | 'item' | 'choice' | 'by'> & {
	readonly seq: number;
	readonly at: string;
};

/** Session data for the rules of an item. */
export type ItemContext = {
	readonly freeSlots: number;
	/** Returns the current collisions of an agent's work, a sentence each. */
	readonly collisions: (agent: string) => readonly string[];
	/** Returns the agents that may write the same files as an agent, including itself. */
	readonly sharing: (agent: string) => readonly string[];
};

/** Behavior of one kind of item: a file or a folder each, collected in `items.ts`. */
export type ItemKind<K extends Kind, Choice, Detail> = {
	/** Returns the choices of the item, in the order in which they are shown. */
	readonly offers: (state: State, item: ItemOf<K>) => readonly Offer<Choice>[];
	/** Returns the text of a choice, as typed and journaled. */
	readonly words: (choice: Choice) => string;
	/** Reads a choice that is not offered but accepted. */
	readonly readOther: (state: State, item: ItemOf<K>, text: string) => Choice | undefined;
	readonly takesAnyText: (item: ItemOf<K>) => boolean;
	/** Returns whether its agent can't continue before it is decided. */
	readonly holdsUp: (item: ItemOf<K>) => boolean;
	/** Returns the reason why a choice can't be taken now, with any input. */
	readonly whyNot: (state: State, item: ItemOf<K>, choice: Choice) => string | undefined;
	/** Returns the reason why a choice can't be taken with this input. */
	readonly whyNotWith: (
		state: State,
		item: ItemOf<K>,
		choice: Choice,
		supplied: Supplied,
	) => string | undefined;
	/** Returns the default note of a choice, so that the journal has its meaning. */
	readonly noteUnlessGiven: (item: ItemOf<K>, choice: Choice) => string | undefined;
	/** Returns advice about a refused choice. */
	readonly hint: (item: ItemOf<K>, choice: Choice, supplied: Supplied) => string | undefined;
	/** Name of the kind for a heading: `a question`. */
	readonly called: string;
	readonly title: (state: State, item: ItemOf<K>) => string;
	/** Returns further data for readers. */
	readonly detail: (state: State, item: ItemOf<K>, context: ItemContext) => Detail;
	/** Returns the data that a decision is about; when it changes, a person has to look again. */
	readonly essence: (item: ItemOf<K>) => object;
	/** Returns the agent whose work the item shows, if any. */
	readonly worker: (state: State, item: ItemOf<K>) => Agent | undefined;
	/** Returns whether the item is still open after the choice. */
	readonly staysOpen: (choice: Choice, given?: Outlook) => boolean;
	/** Returns the state after a choice; the item has been removed, unless it stays open. */
	readonly decided: (state: State, item: ItemOf<K>, choice: Choice, given: Given) => State;
};

/** Data that tells whether a decision settles its item. */
export type Outlook = Pick<Given, 'replayed' | 'doubts'>;

/** Behavior of one choice of a kind: its offer, the reasons against it, and its effect. */
export type ChoiceKind<K extends Kind, Choice extends Verbal> = {
	/** Its offers: none if it isn't available, several if it can be taken in several ways. */
	readonly offer: Offered<Choice> | ((state: State, item: ItemOf<K>) => Offered<Choice>);
	readonly whyNot?: (state: State, item: ItemOf<K>, choice: Choice) => string | undefined;
	readonly whyNotWith?: (
		state: State,
		item: ItemOf<K>,
		supplied: Supplied,
		choice: Choice,
	) => string | undefined;
	readonly noteUnlessGiven?: (item: ItemOf<K>) => string;
	readonly hint?: (item: ItemOf<K>, supplied: Supplied, choice: Choice) => string | undefined;
	readonly staysOpen?: (given: Outlook) => boolean;
	readonly decided: (state: State, item: ItemOf<K>, given: Given, choice: Choice) => State;
} & (Bare<Choice> extends Choice
	? unknown
	: {
			/** Returns the text to type, if the verb alone doesn't say everything. */
			readonly words: (choice: Choice) => string;
		});

type Verbal = {readonly verb: string};

type Bare<Choice extends Verbal> = {readonly verb: Choice['verb']};

/** An offer; a choice without data besides its verb needs only a label. */
type Offered<Choice extends Verbal> =
	| readonly Offer<Choice>[]
	| (Bare<Choice> extends Choice ? Labelled | undefined : never);

type WithVerb<Choice extends Verbal, Verb> = Choice extends unknown
	? Verb extends Choice['verb']
		? Choice & {readonly verb: Verb}
		: never
	: never;

/** Choices of a kind by verb, in the order in which they are offered: a missing one does not compile. */
export type ChoiceTable<K extends Kind, Choice extends Verbal> = {
	readonly [Verb in Choice['verb']]: ChoiceKind<K, WithVerb<Choice, Verb>>;
};

/**
Returns the behavior of a kind from a table of its choices.

By default only the offered choices are taken, a decision is about the whole item, and it shows no work.
*/
export const itemKind = <K extends Kind, Choice extends Verbal, Detail extends object>({
	choices,
	...own
}: Described<K, Choice, Detail>): ItemKind<K, Choice, Detail> => {
	const table = choices as unknown as Readonly<Record<string, AnyChoice<K, Choice>>>;
	const of = ({verb}: Choice): AnyChoice<K, Choice> => table[verb] as AnyChoice<K, Choice>;
	return {
		offers: (state, item) =>
			Object.entries(table).flatMap(([verb, {offer}]) => {
				const offered = typeof offer === 'function' ? offer(state, item) : offer;
				return offered === undefined
					? []
					: 'label' in offered
						? [{choice: {verb} as Choice, ...offered}]
						: offered;
			}),
		words: choice => of(choice).words?.(choice) ?? choice.verb,
		readOther: () => undefined,
		takesAnyText: () => false,
		whyNot: (state, item, choice) => of(choice).whyNot?.(state, item, choice),
		whyNotWith: (state, item, choice, supplied) =>
			of(choice).whyNotWith?.(state, item, supplied, choice),
		noteUnlessGiven: (item, choice) => of(choice).noteUnlessGiven?.(item),
		hint: (item, choice, supplied) => of(choice).hint?.(item, supplied, choice),
		essence: item => item,
		worker: () => undefined,
		staysOpen: (choice, given = {}) => of(choice).staysOpen?.(given) ?? false,
		decided: (state, item, choice, given) => of(choice).decided(state, item, given, choice),
		...own,
	};
};

type Described<K extends Kind, Choice extends Verbal, Detail> = Partial<
	Omit<ItemKind<K, Choice, Detail>, 'whyNotWith' | 'hint' | 'staysOpen'>
> &
	Pick<ItemKind<K, Choice, Detail>, 'holdsUp' | 'called' | 'title' | 'detail'> & {
		readonly choices: ChoiceTable<K, Choice>;
	};

/** A choice found in the table by its verb. */
type AnyChoice<K extends Kind, Choice extends Verbal> = Omit<
	ChoiceKind<K, Choice>,
	'offer' | 'words'
> & {
	readonly offer:
		| Labelled
		| readonly Offer<Choice>[]
		| undefined
		| ((state: State, item: ItemOf<K>) => Labelled | readonly Offer<Choice>[] | undefined);
	readonly words?: (choice: Choice) => string;
};
