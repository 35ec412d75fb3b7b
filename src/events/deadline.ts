import type {Awake} from './awake.ts';
import type {EffectKey} from './effect-key.ts';

/** Names a time that something waits for; each passes once. */
export type Deadline =
	/** The next try of an effect that failed at `since`. */
	| {readonly of: 'retry'; readonly effect: EffectKey; readonly since: Awake}
	/** Most of that time, after which a person is asked while the agent goes on. */
	| {
			readonly of: 'near-limit';
			readonly agent: string;
			readonly timeoutMs: number;
			readonly turn: number;
	  }
	/** The patience with an agent that is told that its time is used up, and says where it stands. */
	| {
			readonly of: 'closing';
			readonly agent: string;
			readonly turn: number;
			readonly since: Awake;
	  }
	/** A turn's share of the time that an agent may work. */
	| {
			readonly of: 'limit';
			readonly agent: string;
			readonly timeoutMs: number;
			readonly turn: number;
	  }
	/** The patience with a turn that said its last word at `since`. */
	| {
			readonly of: 'grace';
			readonly agent: string;
			readonly turn: number;
			readonly since: Awake;
	  }
	/** The patience with a start that began at `since`, and for which a person was asked so often before. */
	| {
			readonly of: 'start';
			readonly agent: string;
			readonly since: Awake;
			readonly asked: number;
	  }
	/** The next try of a turn that failed since its model had trouble. */
	| {readonly of: 'model'; readonly agent: string; readonly turn: number}
	/** The reset of a limit that an agent met; a time of the clock. */
	| {readonly of: 'reset'; readonly agent: string; readonly until: string}
	/** A call that is held open; `seq` is the number of the event by which it asked. */
	| {readonly of: 'listening'; readonly agent: string; readonly seq: number};
