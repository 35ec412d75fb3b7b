import {defined} from '../../../lib/values.ts';
import {type Agent, cancel, lastSnapshot} from '../../agent/agent.ts';
import type {ItemOf} from '../../item.ts';
import {isAtRest, isGivenUp} from '../../select.ts';
import type {State} from '../../state.ts';
import type {Offer} from '../kind.ts';
import {fileFolderClashIn} from './breakage.ts';

type Conflict = ItemOf<'conflict'>;

/** A choice about an arbiter; none settles the conflict. */
export type ArbiterChoice =
	| AskArbiter
	/** Sends its proposal back to it. */
	| {readonly verb: 'again'; readonly agent: string}
	/** Wants no proposal of it any more. */
	| {readonly verb: 'drop'; readonly agent: string};

/** Asks one: a profile of the config, or one like an agent of the session. */
type AskArbiter = {readonly verb: 'arbiter'; readonly as: string};

export type ArbiterDetail = {
	readonly agent: string;
	readonly is: 'at work' | 'done' | 'failed';
	readonly why: string;
	readonly said?: string;
	/** Why it was not told what a person said to it last. */
	readonly unheard?: string;
	/** Where it left the conflicted files; that was reverted. */
	readonly outside?: readonly string[];
};

/** Returns the agent that is asked to settle a conflict, if one is. */
export const arbiterOf = (state: State, {id}: Pick<Conflict, 'id'>): Agent | undefined =>
	state.agents.find(agent => agent.arbitrates === id && !isGivenUp(agent));

/** Returns whether an arbiter has said its last word and what it wrote is pinned. */
export const hasProposal = (agent: Agent): boolean =>
	agent.state === 'COMPLETE' && isAtRest(agent) && lastSnapshot(agent) !== undefined;

/** Returns who can be asked to propose how a conflict is settled; nobody where one was asked already. */
export const arbiterOffers = (state: State, item: Conflict): readonly Offer<AskArbiter>[] =>
	arbiterOf(state, item) === undefined
		? programsIn(state).map(({as, label}) => ({
				choice: {verb: 'arbiter', as},
				label: `Have a neutral agent (${label}) propose`,
				note: 'optional',
			}))
		: [];

type AskedAs = {readonly as: string; readonly label: string};

/** The agents of the config that are here, and all that are at work; one that has no name there is told by who is like it. Any other profile of the config can be typed. */
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

/** Reads the choice of an arbiter that no agent of the session is like. */
export const readArbiter = (text: string): AskArbiter | undefined => {
	const [, as] = /^arbiter:(.+)$/s.exec(text) ?? [];
	return as === undefined ? undefined : {verb: 'arbiter', as};
};

/** Returns in a sentence why no arbiter can be asked now, if none can. */
export const whyNotArbiter = (state: State, item: Conflict): string | undefined => {
	if (fileFolderClashIn(item) !== undefined) {
		return 'One side has a file where the other one has a folder or a link; give one of them another name by hand.';
	}

	const arbiter = arbiterOf(state, item);
	return arbiter === undefined
		? undefined
		: `${arbiter.id} was asked already; choose drop:${arbiter.id} before you ask another one.`;
};

/** Returns the state in which nobody proposes how to settle what is settled or gone, or what no work is left for. */
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

/** Whether nobody is left whose work could be merged: then no merge is built that a conflict could be gone from. */
const isWorkOver = ({agents}: State, isOut: (agent: Agent) => boolean): boolean =>
	agents.every(agent => agent.arbitrates !== undefined || agent.state === 'MERGED' || isOut(agent));

/** Returns the arbiters for whom no work is left once some agents are out of the session. */
export const arbitersWithout = (state: State, ids: readonly string[]): readonly string[] =>
	isWorkOver(state, agent => isGivenUp(agent) || ids.includes(agent.id))
		? state.agents
				.filter(agent => agent.arbitrates !== undefined && !isGivenUp(agent))
				.map(({id}) => id)
		: [];

/** Returns what readers are shown of the agent that was asked to settle a conflict. */
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
