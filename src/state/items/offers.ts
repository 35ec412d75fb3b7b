import type {Subtask} from '../../events/plan.ts';
import {enumerated} from '../../lib/text/words.ts';
import {agentOf} from '../select.ts';
import {aborted, type State} from '../state.ts';
import {arbitersWithout} from './conflict/arbiter.ts';
import type {Labelled, Offer} from './kind.ts';

/** Ends the agent that an item is about. */
export const aborting = {
	offer: (state: State, {agent}: OfAgent) =>
		ending(state, [agent], {label: 'End this agent; its work is kept'}),
	decided: (state: State, {agent}: OfAgent): State => aborted(state, agent),
};

type OfAgent = {readonly agent: string};

/** Returns an offer for each snapshot to which an agent's worktree can be restored. */
export const snapshotOffers =
	<Verb extends string>(verb: Verb, label: (snapshot: string) => string) =>
	(state: State, {agent}: OfAgent): readonly Offer<SnapshotChoice<Verb>>[] =>
		(agentOf(state, agent)?.snapshots ?? []).map(({number}) => ({
			choice: {verb, snapshot: number},
			label: label(nameOfSnapshot(number)),
			note: 'optional',
		}));

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');

/** Names a snapshot in words, since a digit in a choice looks like the key that selects it. */
const nameOfSnapshot = (number: number): string => {
	const ordinal = ordinals[number - 1];
	return ordinal === undefined ? `its snapshot ${number}` : `its ${ordinal} snapshot`;
};

export const snapshotWords = ({verb, snapshot}: SnapshotChoice<string>): string =>
	`${verb}:${snapshot}`;

/** Returns the text of a choice that names an agent. */
export const agentWords = ({
	verb,
	agent,
}: {
	readonly verb: string;
	readonly agent: string;
}): string => `${verb}:${agent}`;

type SnapshotChoice<Verb> = {readonly verb: Verb; readonly snapshot: number};

/** Returns the reason why an agent with that subtask can't take over another one's work, if so; a cycle of waits would never end. */
export const whyNotJoin = (
	state: State,
	subtask: Subtask | undefined,
	asker: string,
): string | undefined => {
	if (subtask === undefined) {
		return 'A new agent needs a subtask.';
	}

	const missing = subtask.after.find(id => agentOf(state, id) === undefined);
	if (missing !== undefined) {
		return `${subtask.id} is to wait for ${missing}, but there is no such agent.`;
	}

	return waitedFor(state, subtask.after).includes(asker)
		? `${subtask.id} would wait for ${asker}, whose work it is to do.`
		: whyNotAdd(state, subtask.id);
};

/** Returns agents with all those that they wait for, transitively. */
const waitedFor = (state: State, ids: readonly string[]): readonly string[] => {
	const found = new Set(ids);
	for (const id of found) {
		const agent = agentOf(state, id);
		const awaited = (agent?.awaits ?? []).map(({agent: id}) => id);
		for (const other of [...(agent?.subtask.after ?? []), ...awaited]) {
			found.add(other);
		}
	}

	return [...found];
};

/** Returns the reason why no agent of that id can be added, if so. */
export const whyNotAdd = (state: State, id: string): string | undefined =>
	agentOf(state, id) ? `There is an agent ${id} already.` : undefined;

/** Returns the offer of a choice that takes agents out of the session, which its label says. Arbiters without work left end, too. */
export const ending = <Offered extends Labelled>(
	state: State,
	ends: readonly string[],
	offer: Offered,
): Offered => endingBesides(arbitersWithout(state, ends), {...offer, ends});

/** Returns the offer of a choice that also ends other agents, with their names in its label. */
export const endingBesides = <Offered extends Labelled>(
	agents: readonly string[],
	offer: Offered,
): Offered => {
	const {ends = []} = offer;
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
