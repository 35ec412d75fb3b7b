import type {Awake} from '../../events/awake.ts';
import type {EffectKey} from '../../events/effect-key.ts';
import type {Body, BodyOf, PromptKind} from '../../events/event.ts';
import type {SettlingChoice} from '../../state/items/conflict/conflict.ts';

/**
Something that must be done now, as plain data.

Each has a key: what is under way isn't started again, and what failed is counted under it. Each looks before it acts, and ends in an event.
*/
export type Effect = {readonly key: EffectKey} & (
	| {readonly do: 'prepare'; readonly agent: string}
	| {readonly do: 'rework'; readonly agent: string; readonly onto: readonly string[]}
	| {readonly do: 'restore'; readonly agent: string; readonly number: number}
	| {
			readonly do: 'bring-back';
			readonly agent: string;
			readonly since: number;
			readonly paths: readonly string[];
	  }
	| {
			readonly do: 'check-snapshot';
			readonly agent: string;
			readonly number: number;
			readonly since: number;
	  }
	| {
			readonly do: 'start';
			readonly agent: string;
			readonly turn: number;
			readonly prompt: PromptKind;
	  }
	| {
			readonly do: 'reply';
			readonly agent: string;
			readonly turn: number;
			readonly items: readonly string[];
	  }
	| {
			readonly do: 'end-turn';
			readonly agent: string;
			readonly turn: number;
			/** Its process may live on: it is to go on with the same conversation. */
			readonly politely?: true;
	  }
	| {readonly do: 'snapshot'; readonly agent: string; readonly reason: string}
	| {
			readonly do: 'run-command';
			readonly agent: string;
			readonly item: string;
			readonly since: number;
			readonly command: string;
	  }
	| {readonly do: 'open-resolution'; readonly conflict: string}
	| {readonly do: 'build'}
	| {readonly do: 'verify'; readonly commit: string; readonly tree: string}
	| {readonly do: 'check-part'; readonly since: number; readonly agents: readonly string[]}
	| {
			readonly do: 'check-outcome';
			readonly conflict: string;
			readonly choice: SettlingChoice;
			readonly since: number;
	  }
	| {readonly do: 'publish'; readonly commit: string; readonly from: string}
	| {readonly do: 'clear-up'}
);

/** What is owed in a state. */
export type Owed = {
	/** Events that follow from what is true, to be written before anything else is done. */
	readonly events: readonly Body[];
	readonly effects: readonly Effect[];
	/** Deadlines, each with the event to write when it passes. */
	readonly timers: readonly {readonly at: Awake; readonly event: BodyOf<'deadline.passed'>}[];
};
