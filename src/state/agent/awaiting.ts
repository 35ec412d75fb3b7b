import type {Claim} from '../../events/event.ts';
import type {ResumeWhen} from '../../events/plan.ts';
import type {Reply} from '../../events/reply.ts';
import {valueLines} from '../../lib/text/words.ts';
import {omit} from '../../lib/values.ts';
import {
	type ResultRow,
	type ResultSaid,
	resultRows,
	resultText,
} from '../../signals/definitions/result.ts';
import {agentOf, isAtRest, isSettled, supervisionOf} from '../select.ts';
import {type State, withAgent} from '../state.ts';
import {type Agent, type Awaited, lastSnapshot} from './agent.ts';
import {filesNamed} from './claimed.ts';

/** Returns whether an agent waits for others to do what it handed on. */
export const isAwaiting = ({awaits = []}: Agent): boolean => awaits.length > 0;

/** Returns the state in which an agent waits until a new one has done what it asked for; who is at its end already is only told. */
export const withAwaited = (state: State, id: string, awaited: Awaited): State =>
	withAgent(state, id, agent =>
		agent.state === 'RUNNING' || agent.state === 'CHECKPOINT'
			? {...agent, awaits: [...(agent.awaits ?? []), awaited]}
			: {...agent, replies: [...agent.replies, awaited.reply]},
	);

/** Returns an agent that has failed, which waits for nobody: what it would have been told of the work it handed on, it is told when a person has it start again. */
export const withoutWaiting = ({awaits = [], ...agent}: Agent): Agent => ({
	...agent,
	replies: [...agent.replies, ...awaits.map(({reply}) => reply)],
});

/** Returns whether all that an agent waits for, of what it handed on, has come to its end. */
export const isAnswered = (state: State, agent: Agent): boolean =>
	isAwaiting(agent) &&
	(agent.awaits ?? []).every(({agent: id}) => {
		const other = agentOf(state, id);
		return other === undefined || isDoneFor(state, agent, other);
	});

/** Returns whether an agent need not wait for another one any more: it is accepted, out of the session, or complete where the waiting one goes on then. */
export const isDoneFor = (state: State, agent: Agent, other: Agent): boolean =>
	isSettled(other) || (other.state === 'COMPLETE' && resumeOf(state, agent) === 'completed');

const resumeOf = (state: State, {id, subtask}: Agent): ResumeWhen =>
	subtask.resume ??
	state.session?.plan.resume ??
	(supervisionOf(state, id).review === 'go' ? 'completed' : 'accepted');

/**
Hands over what was waited for, once its asker's turn has ended: it is told the results, and work that was accepted is to be put under its own.

Whatever settled the last of them, a person, the plan's policy or an end of the session, this is the one place that looks.
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
		replies: [...agent.replies, ...awaits.map(replyTo)],
		...(done.length === 0 ? {} : {rework: [...new Set([...onto, ...done])]}),
	};
};

/** Returns the agent whose work is built on; none if it was given up or changed nothing. */
const workOf = (agent: Agent | undefined): readonly string[] =>
	agent !== undefined && agent.state !== 'ABORTED' && (lastSnapshot(agent)?.files ?? 0) > 0
		? [agent.id]
		: [];

const replyTo = ({agent, reply}: Awaited): Reply => ({...reply, results: {of: agent}});

/** Returns the agent that is told so where others' work can't be put under its own. */
export const withoutRework = (agent: Agent, why: string): Agent => ({
	...omit(agent, 'rework'),
	replies: agent.replies.map(reply =>
		reply.results === undefined ? reply : {...reply, results: {...reply.results, apart: why}},
	),
});

/** Returns the rows of all results that an agent gave, be it as tables or as JSON. */
export const resultsOf = ({updates}: Agent): readonly ResultRow[] =>
	updates.results.flatMap(resultRows);

/** Returns what an agent brings in all: its results, or one row of what else it told of its work. */
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

/** Returns what an agent measured, by its report or else by its last result that has such numbers. */
export const measuredBy = ({report, updates}: Agent): unknown =>
	report?.metrics_achieved ??
	(updates.results as readonly ResultSaid[]).findLast(({metrics}) => metrics !== undefined)
		?.metrics ??
	null;

/** A labelled fact about an agent's result. */
export type ResultFact = readonly [name: string, value: string];

/** Returns how an agent ended, for another one that waited for it. */
export const endingText = ({state, why}: Agent): string =>
	state === 'ABORTED'
		? `ABORTED: ${why}; it did not do it: do without it, or say what you need`
		: `${state}: ${why}`;

/** Returns what an agent brought, for another one that waited for it: what it says of its work, and which of its deliverables were found. */
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
