import type {Collision} from '../events/merge-event.ts';
import type {Question, Signal} from '../signals/index.ts';

/** A conflict that waits for a person's choice. */
export type ConflictItem = Collision & {
	readonly kind: 'conflict';
	/** How far a resolution by hand has come. */
	readonly manual: {phase: 'none'} | {phase: 'wanted'} | {phase: 'open'; folder: string};
	/** Why its resolution folder could not be made. */
	readonly trouble?: string;
};

/** What waits for a person, by kind; the choices of each are in `rules/choices.ts`. */
export type ItemDetail =
	| {readonly kind: 'plan'}
	| {
			readonly kind: 'question';
			readonly agent: string;
			/** Number of the event that asked; the questions of one signal form a group. */
			readonly group: number;
			readonly question: Question;
			/** Whether the first answer to any question of the group lets the agent go on. */
			readonly anyAnswer: boolean;
			/** Whether the agent can't go on without it. */
			readonly holds: boolean;
			/** When the quick wait for an answer ends; an answer is taken after it all the same. */
			readonly deadline: string;
	  }
	| {
			readonly kind: 'checkpoint';
			readonly agent: string;
			readonly said: Extract<Signal, {kind: 'checkpoint'}>;
	  }
	| {
			readonly kind: 'blocker';
			readonly agent: string;
			readonly details: string;
			readonly wanted?: string;
	  }
	| {
			readonly kind: 'delegation';
			readonly agent: string;
			readonly task: string;
			readonly blocks: boolean;
			readonly coordination?: string;
	  }
	| {
			readonly kind: 'scope';
			readonly agent: string;
			readonly paths: readonly string[];
			readonly reason: string;
	  }
	| {
			readonly kind: 'permission';
			readonly agent: string;
			readonly request: string;
			readonly title: string;
			readonly command?: string;
			readonly paths: readonly string[];
	  }
	| {
			readonly kind: 'review';
			readonly agent: string;
			/** Why it is open again. */
			readonly trouble?: string;
	  }
	| {
			readonly kind: 'limit';
			readonly agent: string;
			/** What takes too long: its work, or its start. */
			readonly of: 'work' | 'start';
	  }
	| {readonly kind: 'failure'; readonly agent: string; readonly why: string}
	| ConflictItem
	| {
			readonly kind: 'verify';
			/** The result; empty when nothing was put together. */
			readonly commit: string;
			readonly why: string;
			/** Digest of the git settings that a person agrees to by trying again, where those are why. */
			readonly gitSettings?: string;
	  }
	| {
			readonly kind: 'approval';
			readonly commit: string;
			readonly tree: string;
			readonly tip: string;
			/** Why the last try to publish it was refused. */
			readonly refused?: {readonly message: string; readonly hint: string};
	  };

/** Something that waits for a person: open from an event until a decision, or until what it is about is gone. */
export type Item = ItemDetail & {readonly id: string; readonly opened: string};

/** The items of one kind. */
export type ItemOf<Kind extends Item['kind']> = Extract<Item, {kind: Kind}>;

/** Prefix of an item's id, so that a person reads the kind off it. */
export const itemPrefix: Readonly<Record<Item['kind'], string>> = {
	plan: 'p',
	question: 'q',
	checkpoint: 'cp',
	blocker: 'b',
	delegation: 'd',
	scope: 's',
	permission: 'pm',
	review: 'r',
	limit: 'l',
	failure: 'f',
	conflict: 'c',
	verify: 'v',
	approval: 'a',
};
