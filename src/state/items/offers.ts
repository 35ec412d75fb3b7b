import type {Subtask} from '../../events/plan.ts';
import {enumerated} from '../../lib/text/words.ts';
import type {Agent, Snapshot} from '../agent/agent.ts';
import {agentOf} from '../select.ts';
import type {State} from '../state.ts';
import {arbitersWithout} from './conflict/arbiter.ts';
import type {Offer} from './kind.ts';

/** Returns the way to end the agent that an item is about. */
export const abortOffer = (state: State, agent: string): Offer<{readonly verb: 'abort'}> =>
	ending(state, [agent], {choice: {verb: 'abort'}, label: 'End this agent; its work is kept'});

/** Returns the snapshots that an agent's worktree can be set back to. */
export const snapshotsOf = (state: State, agent: string): readonly Snapshot[] =>
	agentOf(state, agent)?.snapshots ?? [];

/** Returns the ways to have an agent try again from one of its snapshots; the label ends in which one. */
export const retriesFrom = (state: State, agent: string, label: string) =>
	snapshotsOf(state, agent).map(
		({number}) =>
			({
				choice: {verb: 'retry-from', snapshot: number},
				label: `${label} snapshot ${number}`,
				note: 'optional',
			}) as const,
	);

/** Prints a choice of which one names a snapshot. */
export const retryWords = (choice: RetryChoice): string =>
	'snapshot' in choice ? `${choice.verb}:${choice.snapshot}` : choice.verb;

type RetryChoice = {readonly verb: string} | {readonly verb: string; readonly snapshot: number};

/** Returns why an agent with that subtask can't take over work of another one, if it can't; both would wait for each other where it waits for who waits for it. */
export const whyNotJoin = (
	state: State,
	subtask: Subtask | undefined,
	asker: string,
): string | undefined => {
	if (subtask === undefined) {
		return 'A new agent needs the subtask that it is for.';
	}

	const missing = subtask.after.find(id => agentOf(state, id) === undefined);
	if (missing !== undefined) {
		return `${subtask.id} is to wait for ${missing}, and there is no such agent.`;
	}

	return waitedFor(state, subtask.after).includes(asker)
		? `${subtask.id} would wait for ${asker}, whose work it is to do.`
		: whyNotAdd(state, subtask.id);
};

/** Returns agents with all those that they wait for, and so on. */
const waitedFor = (state: State, ids: readonly string[]): readonly string[] => {
	const found = new Set(ids);
	for (const id of found) {
		const agent = agentOf(state, id);
		for (const other of [...(agent?.subtask.after ?? []), ...awaitedBy(agent)]) {
			found.add(other);
		}
	}

	return [...found];
};

const awaitedBy = (agent: Agent | undefined): readonly string[] =>
	(agent?.awaits ?? []).map(({agent: id}) => id);

/** Returns why no agent of that id can be added, if none can. */
export const whyNotAdd = (state: State, id: string): string | undefined =>
	agentOf(state, id) ? `There is an agent ${id} already.` : undefined;

/** Returns the offer of a choice that takes agents out of the session, of which its label tells. Who only proposes for work that goes with them ends, too. */
export const ending = <Choice>(
	state: State,
	ends: readonly string[],
	offer: Offer<Choice>,
): Offer<Choice> => endingBesides(arbitersWithout(state, ends), {...offer, ends});

/** Returns the offer of a choice by which agents end that it is not about: it names them. */
export const endingBesides = <Choice>(
	agents: readonly string[],
	{ends = [], ...offer}: Offer<Choice>,
): Offer<Choice> => {
	const others = agents.filter(id => !ends.includes(id));
	const are = others.length === 1 ? 'is' : 'are';
	return others.length === 0
		? {...offer, ends}
		: {
				...offer,
				ends: [...ends, ...others],
				label: `${offer.label}; ${enumerated(others)} ${are} ended with it`,
			};
};
