import type {Page} from '../control/socket.ts';
import type {Event} from '../events/event.ts';
import type {Environments} from '../events/plan.ts';
import type {QuestionRecord} from '../rules/question-record.ts';
import type {State} from '../state/state.ts';
import type {Account, Latest, PlacedPassage} from './activity/account.ts';

/**
A page that was requested from the supervisor, as far as it has arrived.

Its key has the subject and the commit, so that a page never mixes two states.
*/
export type Resource =
	/** `fetched`: number of lines that have arrived, after the first ones. */
	| {readonly phase: 'loading'; readonly fetched?: number; readonly total?: number}
	| {
			readonly phase: 'ready';
			readonly lines: readonly string[];
			readonly total: number;
			/** Number of lines that are cut; absent if unknown. */
			readonly cut?: number;
			/** Remark about the content. */
			readonly remark?: string;
			/** Result of a choice for all work. */
			readonly preview?: NonNullable<Page['preview']>;
	  }
	| {readonly phase: 'failed'; readonly why: string};

/** An event, its text in one line, and the agents with an item that waits for a person after it. */
export type EventLine = {
	readonly event: Event;
	readonly text: string;
	readonly waiting: readonly string[];
};

/** Mode of the screen: a session is followed or replayed. */
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
		/** Its actions in order, each with the index of the line that it precedes. */
		readonly passages: readonly PlacedPassage[];
	};

/** All data from outside: together with the view, everything that a frame is drawn from. */
export type Model = {
	readonly state: State;
	/** Questions of the session with their outcomes, in the order in which they were asked. */
	readonly questions: readonly QuestionRecord[];
	/** Last events, oldest first. */
	readonly log: readonly EventLine[];
	/** Last lines of each agent's words by its id, of the running check under `verify`, and of partial checks by their names. */
	readonly tails: Readonly<Record<string, readonly string[]>>;
	/** Path of the check's whole log, in a followed session. */
	readonly checkLog?: string;
	readonly activities: Readonly<Record<string, Activity>>;
	readonly resources: Readonly<Record<string, Resource>>;
	/** Environment values of a plan that waits for approval, by agent. */
	readonly sets?: Environments;
	/** Time, at the resolution of the screen. */
	readonly now: string;
	readonly mode: Mode;
	/** Reason why the journal can't be read any further, if so. */
	readonly trouble?: string;
};
