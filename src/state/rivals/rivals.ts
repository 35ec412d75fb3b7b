import type {TakenFile} from '../../events/event.ts';
import type {Subtask} from '../../events/plan.ts';
import {isAccess} from '../agent/access.ts';
import {type Agent, accept, type Taken} from '../agent/agent.ts';
import {globsIn} from '../items/globs.ts';
import {voidMerge} from '../merge/publication.ts';
import {sendsBack} from '../reply.ts';
import {agentOf, isGivenUp, isLive, itemsOf} from '../select.ts';
import {aborted, type State, withAgent, withItem, withoutItems} from '../state.ts';

/** Returns whether two agents have the same subtask, of which a person takes the best work. */
export const areRivals = (one: Subtask, other: Subtask): boolean =>
	one.id !== other.id && one.bestOf !== undefined && one.bestOf === other.bestOf;

/** Returns the rivals of an agent in any state. */
export const rivalsOf = (state: State, id: string): readonly Agent[] => {
	const agent = agentOf(state, id);
	return agent === undefined
		? []
		: state.agents.filter(other => areRivals(agent.subtask, other.subtask));
};

/** Returns the rivals of an agent that are still in the session: taking its work sets theirs aside. */
export const contendersOf = (state: State, id: string): readonly Agent[] =>
	rivalsOf(state, id).filter(rival => !isGivenUp(rival));

/** Returns the rival that an agent is, or that handed work on to it, also indirectly; the agent's work belongs to that rival. */
export const rivalBehind = (state: State, agent: Agent): Agent | undefined => {
	const asker = agentOf(state, agent.requestedBy ?? '');
	return agent.subtask.bestOf === undefined ? asker && rivalBehind(state, asker) : agent;
};

/** Returns the agents that taking an agent's work sets aside: its rivals without those in `beside`, and the agents to which they handed work on. */
export const setAsideFor = (
	state: State,
	id: string,
	beside: readonly string[] = [],
): readonly Agent[] => {
	const contenders = contendersOf(state, id).filter(rival => !beside.includes(rival.id));
	return state.agents.filter(agent => {
		const rival = rivalBehind(state, agent);
		return rival !== undefined && contenders.includes(rival) && !isGivenUp(agent);
	});
};

/** Returns the rivals of an agent that have not finished, or whose delegated work has not. */
export const unfinishedRivals = (state: State, id: string): readonly Agent[] => {
	const unfinished = setAsideFor(state, id)
		.filter(agent => !isFinished(state, agent))
		.map(agent => rivalBehind(state, agent));
	return contendersOf(state, id).filter(rival => unfinished.includes(rival));
};

/** Returns whether an agent has finished; an agent that was sent back has not. */
const isFinished = (state: State, agent: Agent): boolean =>
	agent.state === 'MERGED' ||
	agent.verdict.kind === 'accepted' ||
	(!isLive(agent) &&
		itemsOf(state, agent.id).some(({kind}) => kind === 'review' || kind === 'failure') &&
		!(agent.state === 'COMPLETE' && agent.replies.some(sendsBack)));

/** Returns the agents on whose work an agent builds: those that it waits for, and of rivals the accepted one. */
export const buildsOn = (state: State, {subtask}: Pick<Agent, 'subtask'>): readonly string[] =>
	subtask.after.flatMap(id => {
		const agent = agentOf(state, id);
		const rivals = rivalsOf(state, id);
		return agent === undefined || rivals.length === 0
			? [id]
			: [agent, ...rivals].filter(one => !isGivenUp(one)).map(one => one.id);
	});

/** Takes an agent's work, so that no start of it is left to open denied access for, and sets its rivals and their delegated work aside, except those of which a part is taken: their works stay pinned, and never get into the same merge. */
export const taken = (
	state: State,
	id: string,
	accepted: Taken = {},
	{beside = []}: {readonly beside?: readonly string[]} = {},
): State => {
	const aside = setAsideFor(state, id, beside).map(agent => agent.id);
	const settled = withoutItems(state, item => isAccess(item) && item.agent === id);
	return aside.reduce(
		(left, other) => aborted(left, other, `set aside, since ${id} was taken`),
		withAgent(voidMerge(settled, [id, ...aside]), id, agent => accept(agent, accepted)),
	);
};

/** Opens the review of accepted work again, as finished or as failed. */
export const reopened = (state: State, {id, state: at, why}: Agent, trouble: string): State =>
	withItem(
		withAgent(state, id, accepted => ({...accepted, verdict: {kind: 'none'}})),
		at === 'FAILED' ? {kind: 'failure', agent: id, why} : {kind: 'review', agent: id, trouble},
	);

/** Reopens the reviews of all rivals that were accepted together with parts of each other, once one of them is no longer accepted. */
export const withoutHalves = (state: State): State => {
	for (const agent of state.agents) {
		const gone = isOpen(agent) ? noLongerBeside(state, agent) : undefined;
		if (gone !== undefined) {
			const why = `${gone} is no longer taken beside it`;
			return withoutHalves(reopened(voidMerge(state, [agent.id]), agent, why));
		}
	}

	return state;
};

const isOpen = ({state}: Agent): boolean => state === 'COMPLETE' || state === 'FAILED';

const noLongerBeside = (state: State, {verdict}: Agent): string | undefined =>
	verdict.kind === 'accepted'
		? verdict.beside?.find(id => agentOf(state, id)?.verdict.kind !== 'accepted')
		: undefined;

export type NamedPart = {readonly agent: string; readonly globs: readonly string[]};

/** Returns the parts of works in a note, with those of the choice's own rival first: `src/a.ts AGT-003:src/b/**`. */
export const partsNamed = (rival: string, note: string): readonly NamedPart[] => {
	const parts = new Map<string, string[]>([[rival, []]]);
	for (const word of globsIn(note)) {
		const [, agent = rival, glob = word] = /^(AGT-\d+):(.*)$/.exec(word) ?? [];
		parts.set(agent, [...(parts.get(agent) ?? []), glob]);
	}

	return [...parts].map(([agent, globs]) => ({agent, globs}));
};

/** Returns the rivals of whose works parts are taken: named in a note, or picked. */
export const broughtBy = (
	rival: string,
	note = '',
	files: readonly TakenFile[] = [],
): readonly string[] => [
	...new Set([
		...partsNamed(rival, note).map(({agent}) => agent),
		...files.flatMap(({of = rival}) => of),
	]),
];
