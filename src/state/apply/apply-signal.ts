import type {EventOf} from '../../events/event.ts';
import {defined, omit} from '../../lib/values.ts';
import type {Informing, Signal} from '../../signals/index.ts';
import type {Agent, AgentOutcome} from '../agent/agent.ts';
import {whyClosing} from '../agent/allowance.ts';
import {countedOnce, listens} from '../agent/listening.ts';
import {withResponse, withUpdate} from '../agent/updates.ts';
import {agentOf, isGivenUp} from '../select.ts';
import {type State, withAgent, withItem} from '../state.ts';
import {type Asking, asked, askedInFile, escalated} from './apply-asked.ts';

type Said = EventOf<'signal.said'>;

/**
Applies a signal of an agent; `PROTOCOL, Signals and what follows`.

The sender is `event.agent`, whose pipe it came through; names in the text are ignored. Until the turn of an agent that is given up has ended, its signals only inform: they ask a person nothing.
*/
export const signalSaid = (state: State, event: Said): State => {
	const agent = agentOf(state, event.agent);
	if (!agent) {
		return state;
	}

	const heard = withAgent(state, agent.id, agent => ({
		...omit(agent, 'unread'),
		lastAt: event.at,
		updates: withUpdate(agent.updates, event.signal),
		response: withResponse(agent.response, event.signal),
	}));
	return countedOnce(heard, agent, event, state =>
		isGivenUp(agent)
			? withAgent(state, agent.id, agent => withProgress(agent, event.signal))
			: follow(state, event, event.signal),
	);
};

const follow = (state: State, event: Said, signal: Signal): State => {
	const id = event.agent;
	switch (signal.kind) {
		case 'checkpoint':
			return checkpointSaid(state, event, signal);
		case 'clarification_needed':
			return clarificationAsked(state, event, signal);
		case 'question_escalated':
			return escalated(spoken(state, event), event, signal.value);
		case 'stop_work':
			// A blocker is also a checkpoint, with the same data as a report of one.
			return withItem(atCheckpoint(paused(state, event, 'stopped work on a blocker'), event), {
				kind: 'blocker',
				agent: id,
				details: signal.details,
				said: signal,
			});
		case 'delegate_work':
			return delegationAsked(state, event, signal);
		case 'scope_request':
			return withItem(spoken(state, event), {
				kind: 'scope',
				agent: id,
				paths: signal.paths,
				reason: signal.reason ?? '',
			});
		case 'completion_report':
			return withAgent(spoken(state, event), id, agent => ({
				...agent,
				report: signal,
				outcome: outcomeOf(signal),
				...(signal.status === 'success' ? {progress: 100} : {}),
			}));
		case 'workflow_complete':
			return concluded(state, event, 'said its workflow is complete');
		case 'malformed':
			// The tool call itself returned the reason.
			return event.by === 'tool'
				? state
				: withAgent(state, id, agent => ({...agent, malformed: [...agent.malformed, signal]}));
		case 'error':
			return withAgent(state, id, agent => ({...agent, errors: agent.errors + 1}));
		case 'progress':
			return withAgent(state, id, agent => withProgress(agent, signal));
		default:
			return onlyKept(state, signal);
	}
};

/** Ignores informing signals, which readers take from the journal; any other signal without a case above does not compile. */
const onlyKept = (state: State, _: Informing): State => state;

/** Records the time after which a text agent is expected to end its turn. */
const spoken = (state: State, event: Said): State =>
	withAgent(state, event.agent, agent => ({...agent, spokeAt: agent.spokeAt ?? state.awake}));

const paused = (state: State, event: Said, why: string): State =>
	withAgent(spoken(state, event), event.agent, agent => ({
		...agent,
		pause: {reason: saidReason(event), why},
		wanted: [...agent.wanted, saidReason(event)],
	}));

const atCheckpoint = (state: State, {agent: id, at}: Said): State =>
	withAgent(state, id, agent => ({
		...agent,
		checkpoints: agent.checkpoints + 1,
		checkpointAt: at,
	}));

const saidReason = (event: Said): string => `said:${event.seq}`;

const concluded = (state: State, event: Said, why: string): State =>
	withAgent(spoken(state, event), event.agent, agent => ({
		...agent,
		progress: 100,
		outcome: {to: 'COMPLETE', why, by: 'agent'},
	}));

type Checkpoint = Extract<Signal, {kind: 'checkpoint'}>;

const checkpointSaid = (state: State, event: Said, said: Checkpoint): State => {
	const {agent: id} = event;
	const counted = withAgent(atCheckpoint(state, event), id, agent => ({
		...agent,
		progress: said.progress ?? agent.progress,
	}));
	const blocker =
		said.blockers ?? (said.status === 'BLOCKED' ? 'The agent says it is blocked.' : null);
	if (said.status === 'COMPLETE' && blocker === null) {
		return asked(
			concluded(counted, event, 'reported completion at a checkpoint'),
			event,
			questionsOf(said),
		);
	}

	const closing = agentOf(counted, id)?.closing;
	const opened =
		closing !== undefined
			? withAgent(paused(counted, event, whyClosing(closing)), id, agent => ({
					...agent,
					closing: {...closing, said},
				}))
			: withItem(paused(counted, event, 'reached a checkpoint'), {
					kind: 'checkpoint',
					agent: id,
					snapshot: saidReason(event),
					said,
				});
	const blocked =
		blocker === null ? opened : withItem(opened, {kind: 'blocker', agent: id, details: blocker});
	return asked(blocked, event, questionsOf(said));
};

const questionsOf = (said: Checkpoint): Asking => ({
	questions: said.questions.map(question => ({question, options: [], required: true})),
	allRequired: true,
});

/** Opens the questions of a signal. An agent that asks in a file polls for the answer itself until it escalates. */
const clarificationAsked = (state: State, event: Said, signal: Clarification): State => {
	const {questions, all_required: allRequired} = signal;
	const asking = {questions, allRequired, ...stoodOf(signal)};
	return event.file === undefined
		? listens(asked(spoken(state, event), event, asking), event)
		: askedInFile(state, event, {...asking, file: event.file});
};

type Clarification = Extract<Signal, {kind: 'clarification_needed'}>;

const stoodOf = ({
	blocked_at: blockedAt,
	current_state: currentState,
}: Clarification): Pick<Asking, 'workStatus'> =>
	blockedAt === undefined && currentState === undefined
		? {}
		: {workStatus: defined({blockedAt, currentState})};

type Delegation = Extract<Signal, {kind: 'delegate_work'}>;

/** Opens an item for each subtask of a signal, so that they are decided one by one. */
const delegationAsked = (state: State, event: Said, signal: Delegation): State => {
	const blocks = signal.independence === 'blocks_current_work';
	const pinned = blocks
		? paused(state, event, 'waits for work it wants to delegate')
		: withAgent(state, event.agent, agent => ({
				...agent,
				wanted: [...agent.wanted, saidReason(event)],
			}));
	const tasks =
		typeof signal.new_task_description === 'string'
			? [signal.new_task_description]
			: signal.new_task_description;
	return tasks.reduce(
		(asking, task) =>
			withItem(asking, {
				kind: 'delegation',
				agent: event.agent,
				task,
				blocks,
				...defined({coordination: signal.coordination && text(signal.coordination)}),
			}),
		pinned,
	);
};

const outcomeOf = (signal: Extract<Signal, {kind: 'completion_report'}>): AgentOutcome =>
	signal.status === 'success'
		? {to: 'COMPLETE', why: 'reported completion', by: 'agent'}
		: {
				to: 'FAILED',
				why: `reported ${signal.status === 'partial' ? 'partial completion' : 'failure'}`,
				by: 'agent',
			};

const withProgress = (agent: Agent, signal: Signal): Agent =>
	signal.kind === 'progress' ? {...agent, progress: ratio(signal) ?? agent.progress} : agent;

const ratio = ({done, total}: {done?: number; total?: number}): number | undefined =>
	done === undefined || total === undefined || total <= 0
		? undefined
		: Math.min(100, Math.round((100 * done) / total));

const text = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value);
