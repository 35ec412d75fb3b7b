import type {BodyOf, TakenFile} from '../../events/event.ts';
import type {Replayed} from '../../events/kinds/merge-event.ts';
import type {Plan, Program, Subtask} from '../../events/plan.ts';
import type {Agent} from '../agent/agent.ts';
import type {ItemOf, Kind} from '../item.ts';
import type {State} from '../state.ts';
import type {SeenAnswer} from './question/answer.ts';

/** How a choice is offered, in words. */
export type Labelled = {
	readonly label: string;
	/** The agents that it takes out of the session, besides those alone whose parts a note asks for; no other choice does so, and the label says it. */
	readonly ends?: readonly string[];
	/** Whether the decision needs a note, or can have one. */
	readonly note?: 'required' | 'optional';
	/** What a required note must contain; the agent's task by default. */
	readonly wants?: string;
};

/** A choice of an item, as offered to a person. */
export type Offer<Choice> = Labelled & {readonly choice: Choice};

/** Facts that the supervisor gathered for a decision. */
export type Seen = {
	/** The target's tip, for an approval. */
	readonly tip?: string;
	/** The resolution folder of a conflict, for `done`; what a patch or a pick takes of an agent's work. */
	readonly files?: readonly TakenFile[];
	/** New doubts about these files. */
	readonly doubts?: readonly string[];
	/** How far an agent's snapshots apply to the work of others, for `sequential`. */
	readonly replayed?: Replayed;
	/** Files of the resolution folder that still hold conflict markers. */
	readonly marked?: readonly string[];
	/** The parsed answer to a question. */
	readonly answer?: SeenAnswer;
};

/** Input of a choice before it is granted: from the person, and from the supervisor's look. */
export type Supplied = {
	readonly note?: string;
	readonly plan?: Plan;
	readonly subtask?: Subtask;
	/** A patch with what of an agent's work is to be taken, a character for each byte. */
	readonly patch?: string;
	/** The parts of it that were picked on the screen. */
	readonly picked?: Picked;
	/** The program that an arbiter is to be, where no agent of the session is one. */
	readonly program?: Program;
	readonly seen?: Seen;
};

/** Input of a granted choice. */
export type Given = Omit<BodyOf<'user.decided'>, 'kind' | 'item' | 'choice' | 'by'> & {
	readonly seq: number;
	readonly at: string;
};

/** Session data that rules of an item can use. */
export type ItemContext = {
	/** How many more agents may work at once. */
	readonly freeSlots: number;
	/** Returns what an agent's work collides with now, a sentence each. */
	readonly collisions: (agent: string) => readonly string[];
	/** Returns the agents that may write files which an agent may write, itself among them. */
	readonly sharing: (agent: string) => readonly string[];
};

/** All that one kind of item means: a file or a folder each, collected in `items.ts`. */
export type ItemKind<K extends Kind, Choice, Detail> = {
	/** Returns the ways to decide the item, in the order in which they are shown. */
	readonly offers: (state: State, item: ItemOf<K>) => readonly Offer<Choice>[];
	/** Prints a choice as people and scripts type it, and as the journal keeps it. */
	readonly words: (choice: Choice) => string;
	/** Reads a text that is no choice of the offered ones, yet one that the item takes. */
	readonly readOther: (state: State, item: ItemOf<K>, text: string) => Choice | undefined;
	/** Returns whether any text is taken for an answer. */
	readonly takesAnyText: (item: ItemOf<K>) => boolean;
	/** Returns whether its agent can't go on before it is decided. */
	readonly holdsUp: (item: ItemOf<K>) => boolean;
	/** Returns in a sentence why a choice can't be taken now, whatever a person supplies with it. */
	readonly whyNot: (state: State, item: ItemOf<K>, choice: Choice) => string | undefined;
	/** Returns in a sentence why a choice can't be taken with what is supplied. */
	readonly whyNotWith: (
		state: State,
		item: ItemOf<K>,
		choice: Choice,
		supplied: Supplied,
	) => string | undefined;
	/** Returns what a choice means by its note where a person gives none, so that the journal tells it. */
	readonly noteUnlessGiven: (item: ItemOf<K>, choice: Choice) => string | undefined;
	/** Returns what to do next about a choice that was refused. */
	readonly hint: (item: ItemOf<K>, choice: Choice, supplied: Supplied) => string | undefined;
	/** Says what kind of thing waits, for a heading: `a question`. */
	readonly called: string;
	readonly title: (state: State, item: ItemOf<K>) => string;
	/** Returns what readers are shown besides. */
	readonly detail: (state: State, item: ItemOf<K>, context: ItemContext) => Detail;
	/** Returns what of the item a decision is about; when that changes, a person has to look again. */
	readonly essence: (item: ItemOf<K>) => object;
	/** Returns the agent whose work the item shows, if it shows one's. */
	readonly worker: (state: State, item: ItemOf<K>) => Agent | undefined;
	/** Returns whether the item is still open once the choice is taken. */
	readonly staysOpen: (choice: Choice, given?: Outlook) => boolean;
	/** Returns the state after a choice was taken; the item is in it no more, unless it stays open. */
	readonly decided: (state: State, item: ItemOf<K>, choice: Choice, given: Given) => State;
};

/** Data that tells whether a decision settles its item. */
export type Outlook = Pick<Given, 'replayed' | 'doubts'>;

/** All that one choice of a kind means: how it is offered, what stands against it, and what it does. */
export type ChoiceKind<K extends Kind, Choice extends Verbal> = {
	/** How it is offered: nothing where it isn't, one each where it can be taken in several ways. */
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
			/** Prints it as it is typed: its verb would not tell what else it names. */
			readonly words: (choice: Choice) => string;
		});

type Verbal = {readonly verb: string};

type Bare<Choice extends Verbal> = {readonly verb: Choice['verb']};

/** A choice that is all said by its verb is offered by words alone. */
type Offered<Choice extends Verbal> =
	| readonly Offer<Choice>[]
	| (Bare<Choice> extends Choice ? Labelled | undefined : never);

/** The choice of a union that has a verb. */
type WithVerb<Choice extends Verbal, Verb> = Choice extends unknown
	? Verb extends Choice['verb']
		? Choice & {readonly verb: Verb}
		: never
	: never;

/** The choices of a kind by their verbs, in the order in which they are offered: one without its place here does not compile. */
export type ChoiceTable<K extends Kind, Choice extends Verbal> = {
	readonly [Verb in Choice['verb']]: ChoiceKind<K, WithVerb<Choice, Verb>>;
};

/**
Returns a kind of item from a table of its choices.

What a kind doesn't say otherwise: only the offered choices are taken, all of the item counts, and it shows no work.
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

/** A choice of a table, as it is reached by its verb. */
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

/** Parts of an agent's work that a person picked, by their place in its diff. */
export type Picked = PickedOf & {
	/** Picks from further rivals. */
	readonly also?: readonly (PickedOf & {readonly agent: string})[];
};

export type PickedOf = {
	/** The commit of the work that they saw; of another one nothing is taken. */
	readonly work: string;
	readonly parts: readonly PickedPart[];
};

/** A changed file, counted from 0: all of it, or some of its hunks, counted from 0, too. */
export type PickedPart = {readonly file: number; readonly hunks: 'all' | readonly number[]};
