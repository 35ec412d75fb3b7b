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
import {type State, withAgent, withNewAgent} from '../state.ts';
import {globsIn, whyBadGlobs} from './globs.ts';
import {type ItemKind, plain} from './kind.ts';
import {ending, retriesFrom, retryWords, whyNotJoin} from './offers.ts';
import {type ReportDetail, reportDetail, type WorkDetail, workDetail} from './work-detail.ts';

/** What the agent says of its work, and git beside it. */
export type FailureDetail = Partial<WorkDetail> & Partial<ReportDetail> & RivalsDetail;

export type FailureChoice =
	| {readonly verb: 'retry'}
	| {readonly verb: 'retry-from'; readonly snapshot: number}
	| {readonly verb: 'salvage'}
	| {readonly verb: 'abandon'}
	/** Its subtask goes to a new agent. */
	| {readonly verb: 'redistribute'};

export const failure: ItemKind<'failure', FailureChoice, FailureDetail> = {
	...plain<'retry' | 'retry-from' | 'salvage' | 'abandon' | 'redistribute'>(),
	offers: (state, {agent}) => [
		{choice: {verb: 'retry'}, label: 'Start it again where it stood', note: 'optional'},
		...retriesFrom(state, agent, 'Start it again from'),
		settingAside(state, agent, {
			choice: {verb: 'salvage'},
			label: 'Merge what it did (all, or the globs of the note)',
			note: 'optional',
		}),
		ending(state, [agent], {
			choice: {verb: 'abandon'},
			label: 'Drop from the result; its work is kept',
		}),
		...(contendersOf(state, agent).length === 0 ? [{...redistribution, ends: [agent]}] : []),
	],
	words: retryWords,
	holdsUp: () => false,
	whyNot: (state, {agent}, {verb}) => {
		switch (verb) {
			case 'salvage':
				return whyNothingToSalvage(state, agent) ?? whyRivalsOpen(state, agent);
			case 'retry':
			case 'retry-from':
			case 'abandon':
			case 'redistribute':
				return undefined;
		}
	},
	whyNotWith: (state, {agent}, {verb}, {note, subtask}) => {
		switch (verb) {
			case 'salvage':
				return whyBadGlobs(note ?? '');
			case 'redistribute':
				return whyNotJoin(state, subtask, agent);
			case 'retry':
			case 'retry-from':
			case 'abandon':
				return undefined;
		}
	},
	called: 'a failure',
	worker: (state, {agent}) => agentOf(state, agent),
	title: (_, {why}) => `Failed: ${why}`,
	detail: (state, {agent}, around) => ({
		...reportDetail(agentOf(state, agent)),
		...workDetail(state, agent, around),
		...rivalsDetail(state, agent),
	}),
	decided: (state, item, choice, given) => {
		const {note, files} = given;
		const {agent: id} = item;
		const judged = (change: (agent: Agent) => Agent): State =>
			withAgent(voidMerge(state, [id]), id, change);
		switch (choice.verb) {
			case 'retry':
				return judged(agent => retried(agent, item, {text: note ?? ''}));
			case 'retry-from':
				return judged(agent => retried(agent, item, {text: note ?? '', from: choice.snapshot}));
			case 'salvage':
				return taken(state, id, {only: globsIn(note ?? ''), ...defined({files})});
			case 'redistribute':
				return given.subtask === undefined
					? state
					: redistributed(
							judged(agent => cancel(agent, 'redistributed')),
							item,
							given.subtask,
						);
			case 'abandon':
				return judged(agent => cancel(agent, 'abandoned'));
		}
	},
};

/** A rival has its subtask, too, so with rivals there is nobody else to give it to. */
const redistribution = {
	choice: {verb: 'redistribute'},
	label: 'Drop it, and give its subtask to a new agent',
	note: 'optional',
} as const;

/** It is told why it failed; what it was told of an earlier failure is old by then. */
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

/** Whoever waited for the one that failed waits for the new one. */
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
