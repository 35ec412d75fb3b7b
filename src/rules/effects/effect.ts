import type {Awake, Deadline} from '../../events/deadline.ts';
import type {EffectKey} from '../../events/effect-key.ts';
import type {Body, BodyOf, PromptKind} from '../../events/event.ts';
import type {SettlingChoice} from '../../state/item.ts';
import {agentOf, isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {hasSettledSnapshots} from './retries.ts';

/**
An action that is due now, as plain data.

Its key prevents a second start while it runs, and counts its failures. Each effect looks before it acts, and ends in an event.
*/
export type Effect = {readonly key: EffectKey} & (
	| OwnData
	| Exclude<EffectKey, {do: OwnData['do']}>
);

/** Effects with data beyond their key, or with less data than it. */
type OwnData =
	| (KeyOf<'rework'> & {readonly onto: readonly string[]})
	| (KeyOf<'bring-back'> & {readonly paths: readonly string[]})
	| (KeyOf<'start'> & {readonly prompt: PromptKind})
	| (KeyOf<'reply'> & {readonly turn: number})
	/** `politely`: its process may live on, since its next turn continues the same conversation. */
	| (KeyOf<'end-turn'> & {readonly politely?: true})
	| (KeyOf<'run-command'> & {readonly command: string})
	/** Its inputs are in the state. */
	| {readonly do: 'build'}
	| {readonly do: 'verify'; readonly commit: string; readonly tree: string}
	| (Omit<KeyOf<'check-outcome'>, 'choice'> & {readonly choice: SettlingChoice})
	| {readonly do: 'publish'; readonly commit: string; readonly from: string};

type KeyOf<Do extends EffectKey['do']> = Extract<EffectKey, {do: Do}>;

/** Returns an effect with its key and the data that the key contains. */
export const keyed = <Key extends EffectKey>(key: Key) => ({...key, key});

export type EffectOf<Kind extends Effect['do']> = Extract<Effect, {do: Kind}>;

/** Events, effects and timers that are due in a state. */
export type Owed = {
	/** Events that follow from the state, to be written before anything else is done. */
	readonly events: readonly Body[];
	readonly effects: readonly Effect[];
	readonly timers: readonly Timer[];
};

/** Time at which a deadline passes, with the event to write then. */
export type Timer = {readonly at: Awake; readonly event: BodyOf<'deadline.passed'>};

export const timerOf = ({
	at,
	deadline,
}: {
	readonly at: Awake;
	readonly deadline: Deadline;
}): Timer => ({
	at,
	event: {kind: 'deadline.passed', deadline},
});

/** Returns the commands that people run for blocked agents, once the turn is over and its work is pinned: two writers must not use a worktree at once. */
export const commandEffects = (state: State): readonly Effect[] =>
	state.items.flatMap((item): readonly Effect[] => {
		const agent = item.kind === 'blocker' ? agentOf(state, item.agent) : undefined;
		if (
			item.kind !== 'blocker' ||
			item.command?.phase !== 'running' ||
			agent === undefined ||
			isLive(agent) ||
			!hasSettledSnapshots(state, agent)
		) {
			return [];
		}

		const {command, since} = item.command;
		return [{...keyed({do: 'run-command', agent: agent.id, item: item.id, since}), command}];
	});
