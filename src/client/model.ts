import type {Page} from '../control/socket.ts';
import type {Event} from '../events/event.ts';
import type {Environments} from '../events/plan.ts';
import type {QuestionRecord} from '../rules/question-record.ts';
import type {State} from '../state/state.ts';
import type {Account, Latest, PlacedPassage} from './activity/account.ts';

/**
A page that was requested from the supervisor, as far as it has arrived.

It is asked for by what it shows and the commit it shows, so that a page never mixes two states.
*/
export type Resource =
	/** `fetched`: how many of its lines have come, once one has. */
	| {readonly phase: 'loading'; readonly fetched?: number; readonly total?: number}
	| {
			readonly phase: 'ready';
			readonly lines: readonly string[];
			readonly total: number;
			/** How many of the lines are longer than they are shown; none when it isn't told. */
			readonly cut?: number;
			/** A remark to read it by. */
			readonly remark?: string;
			/** Outcome of a choice for all work. */
			readonly preview?: NonNullable<Page['preview']>;
	  }
	| {readonly phase: 'failed'; readonly why: string};

/** An event, how it is told in one line, and the agents of whom something waited for a person after it. */
export type EventLine = {
	readonly event: Event;
	readonly text: string;
	readonly waiting: readonly string[];
};

/** Whether a session is followed or played. */
export type Mode =
	| {readonly kind: 'live'}
	| {
			readonly kind: 'replay';
			readonly playing: boolean;
			readonly position: number;
			readonly length: number;
			readonly speed: number;
	  };

/** An agent's activity besides its words. */
export type Activity = Latest &
	Pick<Account, 'plan' | 'spent'> & {
		/** Its actions in order, each with the line of its words that it precedes. */
		readonly passages: readonly PlacedPassage[];
	};

/** Everything that is known from outside: with where the person is, all that a frame is drawn from. */
export type Model = {
	readonly state: State;
	/** All that was asked in the session and what became of it, in the order in which it was asked. */
	readonly questions: readonly QuestionRecord[];
	/** The last events, oldest first. */
	readonly log: readonly EventLine[];
	/** The last lines of each agent's words by its id, of the running check under `verify`, and of checks of parts by their names. */
	readonly tails: Readonly<Record<string, readonly string[]>>;
	/** Where the whole log of the check lies, of a session that is followed. */
	readonly checkLog?: string;
	/** Activity of each agent, by id. */
	readonly activities: Readonly<Record<string, Activity>>;
	readonly resources: Readonly<Record<string, Resource>>;
	/** Values that a plan sets which waits for its approval, by agent. */
	readonly sets?: Environments;
	/** The time, as far as the screen tells it. */
	readonly now: string;
	readonly mode: Mode;
	/** Why the journal can't be read on, if so. */
	readonly trouble?: string;
};
