import {defined} from '../../../lib/values.ts';
import {type Agent, cancel, lastSnapshot} from '../../agent/agent.ts';
import type {ItemOf} from '../../item.ts';
import {isAtRest, isGivenUp} from '../../select.ts';
import type {State} from '../../state.ts';
import type {Offer} from '../kind.ts';
import {fileFolderClashIn} from './breakage.ts';

type Conflict = ItemOf<'conflict'>;

/** A choice about an arbiter; none of them settles the conflict. */
export type ArbiterChoice =
	| AskArbiter
	/** Sends its proposal back to it. */
	| {readonly verb: 'again'; readonly agent: string}
	| {readonly verb: 'drop'; readonly agent: string};

/** Asks an arbiter: a profile of the config, or one like an agent of the session. */
type AskArbiter = {readonly verb: 'arbiter'; readonly as: string};

export type ArbiterDetail = {
	readonly agent: string;
	readonly is: 'at work' | 'done' | 'failed';
	readonly why: string;
	readonly said?: string;
	/** Reason why it did not get a person's last message. */
	readonly unheard?: string;
	/** Paths outside the conflicted files that it wrote; they were reverted. */
	readonly outside?: readonly string[];
};

export const arbiterOf = (state: State, {id}: Pick<Conflict, 'id'>): Agent | undefined =>
	state.agents.find(agent => agent.arbitrates === id && !isGivenUp(agent));

/** Returns whether an arbiter has finished and its work is pinned. */
export const hasProposal = (agent: Agent): boolean =>
	agent.state === 'COMPLETE' && isAtRest(agent) && lastSnapshot(agent) !== undefined;

/** Returns the possible arbiters of a conflict; none if it has one already. */
export const arbiterOffers = (state: State, item: Conflict): readonly Offer<AskArbiter>[] =>
	arbiterOf(state, item) === undefined
		? programsIn(state).map(({as, label}) => ({
				choice: {verb: 'arbiter', as},
				label: `Have a neutral agent (${label}) propose`,
				note: 'optional',
			}))
		: [];

type AskedAs = {readonly as: string; readonly label: string};

/** Returns the programs of working agents and the config's profiles that exist here; a program without a profile is named after an agent with it. Other profiles of the config can be typed. */
const programsIn = ({agents, session}: State): readonly AskedAs[] => {
	const others = agents.filter(({arbitrates}) => arbitrates === undefined);
	const profiles = others.flatMap(({subtask}) => subtask.profile ?? []);
	const unnamed = new Map(
		others
			.filter(({subtask}) => subtask.profile === undefined)
			.toReversed()
			.map(({id, subtask}) => [JSON.stringify(subtask.agent), id]),
	);
	return [
		...[...new Set([...profiles, ...(session?.settings.profiles ?? [])])].map(as => ({
			as,
			label: as,
		})),
		...[...unnamed.values()].toSorted().map(id => ({as: id, label: `like ${id}`})),
	];
};

/** Reads a typed arbiter by any name. */
export const readArbiter = (text: string): AskArbiter | undefined => {
	const [, as] = /^arbiter:(.+)$/s.exec(text) ?? [];
	return as === undefined ? undefined : {verb: 'arbiter', as};
};

/** Returns the reason why no arbiter can be asked now, if so. */
export const whyNotArbiter = (state: State, item: Conflict): string | undefined => {
	if (fileFolderClashIn(item) !== undefined) {
		return 'One side has a file where the other one has a folder or a link; give one of them another name by hand.';
	}

	const arbiter = arbiterOf(state, item);
	return arbiter === undefined
		? undefined
		: `${arbiter.id} was asked already; choose drop:${arbiter.id} before you ask another one.`;
};

/** Ends arbiters whose conflict is settled or gone, or for whom no work is left to merge. */
export const withoutIdleArbiters = (state: State): State =>
	state.agents.some(agent => isIdle(state, agent))
		? {
				...state,
				agents: state.agents.map(agent =>
					isIdle(state, agent) ? cancel(agent, 'its conflict is settled or gone') : agent,
				),
			}
		: state;

const isIdle = (state: State, agent: Agent): boolean =>
	agent.arbitrates !== undefined &&
	!isGivenUp(agent) &&
	(!state.items.some(({id}) => id === agent.arbitrates) ||
		isWorkOver(state, ({state}) => state === 'ABORTED'));

/** Returns whether no work is left to merge: then no build can find that the conflict is gone. */
const isWorkOver = ({agents}: State, isOut: (agent: Agent) => boolean): boolean =>
	agents.every(agent => agent.arbitrates !== undefined || agent.state === 'MERGED' || isOut(agent));

/** Returns the arbiters that have no work left once some agents are out of the session. */
export const arbitersWithout = (state: State, ids: readonly string[]): readonly string[] =>
	isWorkOver(state, agent => isGivenUp(agent) || ids.includes(agent.id))
		? state.agents
				.filter(agent => agent.arbitrates !== undefined && !isGivenUp(agent))
				.map(({id}) => id)
		: [];

export const arbiterDetail = (agent: Agent): ArbiterDetail => {
	const said = agent.updates.summary?.value;
	const outside = [...new Set(agent.violations.map(({path}) => path))];
	return {
		agent: agent.id,
		is: hasProposal(agent) ? 'done' : agent.state === 'FAILED' ? 'failed' : 'at work',
		why: agent.why,
		...defined({said, unheard: agent.unheard}),
		...(outside.length === 0 ? {} : {outside}),
	};
};
