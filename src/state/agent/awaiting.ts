import type {Claim} from '../../events/event.ts';
import type {ResumeWhen, Subtask} from '../../events/plan.ts';
import type {Reply} from '../../events/reply.ts';
import {valueLines} from '../../lib/text/words.ts';
import {defined, omit} from '../../lib/values.ts';
import {
	type ResultRow,
	type ResultSaid,
	resultRows,
	resultText,
} from '../../signals/definitions/result.ts';
import {agentOf, isAtRest, isSettled, supervisionOf} from '../select.ts';
import {type State, withAgent, withNewAgent} from '../state.ts';
import {type Agent, lastSnapshot, newAgent, type Requester} from './agent.ts';
import {filesNamed} from './claimed.ts';

export const isAwaiting = ({awaits = []}: Agent): boolean => awaits.length > 0;

/** Adds the agent that another one requested. That one gets the reply at once, or with the results if it waits for them and has not ended. */
export const withRequested = (
	state: State,
	{by, coordination, waits}: Requester & {readonly waits: boolean},
	subtask: Subtask,
	said: Reply,
): State => {
	const note = defined({coordination});
	const reply = {...said, newAgent: {id: subtask.id, subtask: subtask.subtask}, ...note};
	const added = withNewAgent(state, newAgent(subtask, state.awake, {by, ...note}));
	return withAgent(added, by, agent =>
		waits && (agent.state === 'RUNNING' || agent.state === 'CHECKPOINT')
			? {...agent, awaits: [...(agent.awaits ?? []), {agent: subtask.id, reply}]}
			: {...agent, replies: [...agent.replies, reply]},
	);
};

/** Ends the waits of an agent that has failed: it gets the replies about the work that it handed on when a person restarts it. */
export const withoutWaiting = ({awaits = [], ...agent}: Agent): Agent => ({
	...agent,
	replies: [...agent.replies, ...awaits.map(({reply}) => reply)],
});

/** Returns whether all work for which an agent waits is done. */
export const isAnswered = (state: State, agent: Agent): boolean =>
	isAwaiting(agent) &&
	(agent.awaits ?? []).every(({agent: id}) => {
		const other = agentOf(state, id);
		return other === undefined || isDoneFor(state, agent, other);
	});

/** Returns whether an agent no longer waits for another one: that one is accepted, out of the session, or complete if the plan says that this is enough. */
export const isDoneFor = (state: State, agent: Agent, other: Agent): boolean =>
	isSettled(other) || (other.state === 'COMPLETE' && resumeOf(state, agent) === 'completed');

const resumeOf = (state: State, {id, subtask}: Agent): ResumeWhen =>
	subtask.resume ??
	state.session?.plan.resume ??
	(supervisionOf(state, id).review === 'go' ? 'completed' : 'accepted');

/**
Hands results to the agents that waited for them, once their turn has ended; the work itself is then put under their own.

A person, the policy or the session's end may settle the last one; all are noticed here.
*/
export const resultsHandedOver = (state: State): State =>
	state.agents
		.filter(agent => agent.state === 'CHECKPOINT' && isAtRest(agent) && isAnswered(state, agent))
		.reduce((handed, {id}) => withAgent(handed, id, agent => withResults(state, agent)), state);

const withResults = (state: State, {awaits = [], ...agent}: Agent): Agent => {
	const done = awaits.flatMap(({agent: id}) => workOf(agentOf(state, id)));
	const onto = agent.workspace.phase === 'ready' ? agent.workspace.onto : [];
	return {
		...agent,
		replies: [...agent.replies, ...awaits.map(({agent: of, reply}) => ({...reply, results: {of}}))],
		...(done.length === 0 ? {} : {rework: [...new Set([...onto, ...done])]}),
	};
};

/** Returns the agent if others can build on its work; none if it was given up or changed nothing. */
const workOf = (agent: Agent | undefined): readonly string[] =>
	agent !== undefined && agent.state !== 'ABORTED' && (lastSnapshot(agent)?.files ?? 0) > 0
		? [agent.id]
		: [];

/** Tells an agent why others' work can't be put under its own. */
export const withoutRework = (agent: Agent, why: string): Agent => ({
	...omit(agent, 'rework'),
	replies: agent.replies.map(reply =>
		reply.results === undefined ? reply : {...reply, results: {...reply.results, apart: why}},
	),
});

/** Returns the rows of all results that an agent reported, as tables or as JSON. */
export const resultsOf = ({updates}: Agent): readonly ResultRow[] =>
	updates.results.flatMap(resultRows);

/** Returns an agent's results, or one row with its other reports. */
export const summedUp = (agent: Agent): readonly ResultRow[] => {
	const {report, updates, subtask, state} = agent;
	const results = resultsOf(agent);
	return results.length > 0
		? results
		: [
				{
					topic: updates.title ?? subtask.subtask,
					status: report?.status ?? state.toLowerCase(),
					path: filesNamed(agent).join(', '),
					summary: updates.summary?.value ?? '',
				},
			];
};

/** Returns an agent's measurements, from its report or from its last result with numbers. */
export const measuredBy = ({report, updates}: Agent): unknown =>
	report?.metrics_achieved ??
	(updates.results as readonly ResultSaid[]).findLast(({metrics}) => metrics !== undefined)
		?.metrics ??
	null;

/** A labelled fact about an agent's result. */
export type ResultFact = readonly [name: string, value: string];

/** Returns the end of an agent, for an agent that waited for it. */
export const endingText = ({state, why}: Agent): string =>
	state === 'ABORTED'
		? `ABORTED: ${why}; it did not do it: do without it, or say what you need`
		: `${state}: ${why}`;

/** Returns an agent's results, for an agent that waited for it: its own words, and its deliverables with whether they exist. */
export const resultFacts = (agent: Agent): readonly ResultFact[] => {
	const {updates, report} = agent;
	const claims = (lastSnapshot(agent)?.claims ?? []).filter(({found}) => !isOfTests(found));
	const named = (name: string, values: readonly string[]): readonly ResultFact[] =>
		values.length === 0 ? [] : [[name, values.join(', ')]];
	const pathsOf = (holds: boolean) =>
		claims.filter(claim => claim.holds === holds).map(({claim}) => claim);
	const created = updates.created.filter(path => !pathsOf(false).includes(path));
	return [
		...named('Title', [updates.title ?? agent.subtask.subtask]),
		...named('Path', created.length > 0 ? created : pathsOf(true)),
		...named('Summary', updates.summary === undefined ? [] : [updates.summary.value]),
		...named('Count', updates.counts.map(String)),
		...named('Found', pathsOf(true)),
		...named('Said, but not found', pathsOf(false)),
		...resultsOf(agent).map((row): ResultFact => ['Result', resultText(row)]),
		...named('Metrics', valueLines(measuredBy(agent))),
		...named('Recommends', report?.recommendations ?? []),
	];
};

const isOfTests = (found: Claim['found']): boolean => found === 'passed' || found === 'failed';
