import type {Subtask} from '../../events/plan.ts';
import type {Reply} from '../../events/reply.ts';
import {defined} from '../../lib/values.ts';
import {type Agent, cancel, newAgent} from '../agent/agent.ts';
import type {ItemOf} from '../item.ts';
import {voidMerge} from '../merge/publication.ts';
import {contendersOf, taken} from '../rivals/rivals.ts';
import {type RivalsDetail, rivalsDetail} from '../rivals/rivals-detail.ts';
import {settingAside, whyRivalsOpen} from '../rivals/take-rival.ts';
import {agentOf} from '../select.ts';
import {type Attempt, attemptOf, type State, withAgent, withNewAgent} from '../state.ts';
import {globsIn, whyBadGlobs} from './globs.ts';
import {itemKind} from './kind.ts';
import {ending, snapshotOffers, snapshotWords, whyNotJoin} from './offers.ts';
import {type ReportDetail, reportDetail, type WorkDetail, workDetail} from './work-detail.ts';

/** The agent's report beside git's facts. */
export type FailureDetail = Partial<WorkDetail> &
	Partial<ReportDetail> &
	RivalsDetail &
	Partial<Pick<Attempt, 'hint' | 'printed'>>;

export type FailureChoice =
	| {readonly verb: 'retry' | 'salvage' | 'abandon'}
	| {readonly verb: 'retry-from'; readonly snapshot: number}
	/** Starts it again, with this way to log in first. */
	| {readonly verb: 'login'; readonly by: string}
	/** Gives its subtask to a new agent. */
	| {readonly verb: 'redistribute'};

export const failure = itemKind<'failure', FailureChoice, FailureDetail>({
	choices: {
		retry: {
			offer: {label: 'Start it again where it stopped', note: 'optional'},
			decided: (state, item, {note}) =>
				judged(state, item, agent => retried(agent, item, {text: note ?? ''})),
		},
		'retry-from': {
			offer: snapshotOffers('retry-from', snapshot => `Start it again from ${snapshot}`),
			words: snapshotWords,
			decided: (state, item, {note}, {snapshot}) =>
				judged(state, item, agent => retried(agent, item, {text: note ?? '', from: snapshot})),
		},
		login: {
			offer: (state, {agent}) =>
				(agentOf(state, agent)?.loginWays ?? [])
					.filter(({command}) => command === undefined)
					.map(({id, title}) => ({
						choice: {verb: 'login', by: id},
						label: `Have it log in by ${title}, and start it again`,
						note: 'optional',
					})),
			words: ({by}) => `login:${by}`,
			decided: (state, item, {note}, {by}) =>
				judged(state, item, agent => ({
					...retried(agent, item, {text: note ?? ''}),
					loginBy: by,
				})),
		},
		salvage: {
			offer: (state, {agent}) =>
				settingAside(state, agent, {
					label: 'Merge its work (all, or what the globs of the note match)',
					note: 'optional',
				}),
			whyNot: (state, {agent}) => whyNothingToSalvage(state, agent) ?? whyRivalsOpen(state, agent),
			whyNotWith: (_, __, {note}) => whyBadGlobs(note ?? ''),
			decided: (state, {agent}, {note, files}) =>
				taken(state, agent, {only: globsIn(note ?? ''), ...defined({files})}),
		},
		abandon: {
			offer: (state, {agent}) =>
				ending(state, [agent], {label: 'Drop from the result; its work is kept'}),
			decided: (state, item) => judged(state, item, agent => cancel(agent, 'abandoned')),
		},
		redistribute: {
			// Rivals have the same subtask, so they take the place of a new agent.
			offer: (state, {agent}) =>
				contendersOf(state, agent).length > 0
					? undefined
					: {
							label: 'Drop it, and give its subtask to a new agent',
							note: 'optional',
							ends: [agent],
						},
			whyNotWith: (state, {agent}, {subtask}) => whyNotJoin(state, subtask, agent),
			decided: (state, item, {subtask}) =>
				subtask === undefined
					? state
					: redistributed(
							judged(state, item, agent => cancel(agent, 'redistributed')),
							item,
							subtask,
						),
		},
	},
	holdsUp: () => false,
	called: 'a failure',
	worker: (state, {agent}) => agentOf(state, agent),
	title: (_, {why}) => `Failed: ${why}`,
	detail: (state, {agent}, around) => ({
		...reportDetail(agentOf(state, agent)),
		...workDetail(state, agent, around),
		...rivalsDetail(state, agent),
		...setupFailure(state, agent),
	}),
});

/** Returns the output of the setup by which an agent's start failed, if it did. */
export const setupFailure = (
	state: State,
	agent: string,
): Pick<FailureDetail, 'hint' | 'printed'> => {
	const {hint, printed} = attemptOf(state, {do: 'prepare', agent}) ?? {};
	return defined({hint, printed});
};

/** Changes the failed agent; a merge with its work is void. */
const judged = (state: State, {agent}: ItemOf<'failure'>, change: (agent: Agent) => Agent): State =>
	withAgent(voidMerge(state, [agent]), agent, change);

/** Retries an agent and tells it why it failed, in place of an earlier failure's reply. */
const retried = (
	agent: Agent,
	{id, why}: ItemOf<'failure'>,
	told: Pick<Reply, 'text' | 'from'>,
): Agent => ({
	...agent,
	verdict: {kind: 'retried', from: told.from ?? null},
	delivered: agent.delivered.filter(({heading}) => heading !== 'ERROR FIXED'),
	replies: [
		...agent.replies,
		{
			...{item: id, heading: 'ERROR FIXED', about: why, work: agent.subtask.subtask},
			...told,
		},
	],
});

/** Makes agents that wait for the failed one wait for its replacement. */
const redistributed = (
	state: State,
	{agent: id, why}: ItemOf<'failure'>,
	subtask: Subtask,
): State => {
	const instead = (other: string): string => (other === id ? subtask.id : other);
	const waiting = state.agents.map(agent => ({
		...agent,
		subtask: {...agent.subtask, after: agent.subtask.after.map(instead)},
		...defined({awaits: agent.awaits?.map(one => ({...one, agent: instead(one.agent)}))}),
	}));
	const {requestedBy: by = id, coordination} = agentOf(state, id) ?? {};
	const words = [coordination, `${id} was to do this before, and failed: ${why}`];
	return withNewAgent(
		{...state, agents: waiting},
		newAgent(subtask, state.awake, {
			by,
			coordination: words.filter(word => word !== undefined).join('; '),
		}),
	);
};

const whyNothingToSalvage = (state: State, id: string): string | undefined => {
	const last = agentOf(state, id)?.snapshots.at(-1);
	if (last === undefined) {
		return 'No snapshot of it was taken, so there is nothing to salvage.';
	}

	return last.files === 0
		? 'It changed no file inside its scope, so there is nothing to salvage.'
		: undefined;
};
