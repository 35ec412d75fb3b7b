/**
Identifies an effect: the action, its object, and its reason.

An effect that is under way is not started again, and its failures are counted by this key; another reason makes it another effect.
*/
export type EffectKey =
	| AgentEffectKey
	| {readonly do: 'open-resolution'; readonly conflict: string}
	| {
			readonly do: 'build';
			readonly tip: string;
			/** Accepted work, by the numbers of its snapshots. */
			readonly work: readonly {readonly agent: string; readonly snapshot: number}[];
			/** Number of resolved conflicts. */
			readonly resolutions: number;
	  }
	/** `since` is the number of the event that made the check due. */
	| {readonly do: 'verify'; readonly commit: string; readonly since: number}
	/** `since` is the number of the event of the failed check. */
	| {readonly do: 'check-part'; readonly since: number; readonly agents: readonly string[]}
	/** `since` is the number of the event that asked for it. */
	| {
			readonly do: 'check-outcome';
			readonly conflict: string;
			readonly choice: string;
			readonly since: number;
	  }
	| {readonly do: 'publish'; readonly commit: string; readonly approval: string}
	| {readonly do: 'clear-up'};

export type AgentEffectKey = {readonly agent: string} & (
	| {readonly do: 'prepare'}
	| {readonly do: 'rework'}
	| {readonly do: 'restore'; readonly number: number}
	/** `since` is the number of the event with which a person granted it. */
	| {readonly do: 'bring-back'; readonly since: number}
	/** `since` is the number of the event that asked for it; 0 if the config does. */
	| {readonly do: 'check-snapshot'; readonly number: number; readonly since: number}
	| {readonly do: 'start'; readonly turn: number}
	| {readonly do: 'end-turn'; readonly turn: number}
	| {readonly do: 'reply'; readonly items: readonly string[]}
	| {readonly do: 'snapshot'; readonly reason: string}
	/** `since` is the number of the event with which a person asked for it. */
	| {readonly do: 'run-command'; readonly item: string; readonly since: number}
);
