import type {BodyOf, DecidedBy, TreeEntry} from '../events/event.ts';
import type {Plan, Subtask} from '../events/plan.ts';

/**
What somebody asks for; unlike an event it can be refused.

`seen` is what the supervisor found when it looked, just before: a rule that needs a fact of the outside world gets it as an argument.
*/
export type Command =
	| {readonly kind: 'start'; readonly event: BodyOf<'session.started'>; readonly approved: boolean}
	| {readonly kind: 'add'; readonly subtask: Subtask}
	| {readonly kind: 'stop'}
	| {
			readonly kind: 'decide';
			readonly item: string;
			readonly choice: string;
			readonly note?: string;
			readonly by: DecidedBy;
			readonly plan?: Plan;
			/** What there is to know of that plan, if nobody has seen it yet. */
			readonly warnings?: readonly string[];
			readonly subtask?: Subtask;
			readonly seen?: Seen;
	  };

/** A decision, as a command. */
export type Decision = Extract<Command, {kind: 'decide'}>;

/** What the supervisor found when it looked on behalf of a decision. */
export type Seen = {
	/** The target's tip, for an approval. */
	readonly tip?: string;
	/** The resolution folder of a conflict, for `done`. */
	readonly files?: readonly {readonly path: string; readonly entry: TreeEntry | null}[];
	/** Files of the resolution folder that still hold conflict markers. */
	readonly marked?: readonly string[];
};
