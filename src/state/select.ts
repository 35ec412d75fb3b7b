import type {Silence} from '../events/event.ts';
import type {SupervisionPolicy} from '../events/plan.ts';
import {policyIn} from '../events/supervision.ts';
import {defined} from '../lib/values.ts';
import type {Question} from '../signals/index.ts';
import type {Agent} from './agent/agent.ts';
import {agentOfItem, type Item} from './item.ts';
import {withReply} from './reply.ts';
import type {State} from './state.ts';

export const agentOf = (state: State, id: string): Agent | undefined =>
	state.agents.find(agent => agent.id === id);

export const itemOf = (state: State, id: string): Item | undefined =>
	state.items.find(item => item.id === id);

export const itemsOf = (state: State, agent: string): readonly Item[] =>
	state.items.filter(item => agentOfItem(item) === agent);

export const hasSnapshot = (agent: Agent, reason: string): boolean =>
	agent.snapshots.some(snapshot => snapshot.reason === reason);

/** Reason of the snapshot at the end of a turn. */
export const exitReason = (turn: number): string => `exit:${turn}`;

/** Returns whether a person took an agent out of the session; its turn may take a moment to end. */
export const isGivenUp = ({state, verdict}: Agent): boolean =>
	state === 'ABORTED' || verdict.kind === 'cancelled';

/** Returns the agents that are still part of a session's plan: those that were not given up, and all rivals, since they share one part of the plan. */
export const agentsLeft = ({agents}: State): readonly Agent[] =>
	agents.filter(agent => !isGivenUp(agent) || agent.subtask.bestOf !== undefined);

export const isLive = (agent: Agent): boolean => agent.turn.phase === 'live';

/** Returns what an agent's start waits for. */
export const startStep = ({workspace}: Agent): string =>
	workspace.phase === 'ready'
		? 'its program is starting, and has opened no conversation'
		: 'its worktree is being made and set up';

/** Returns the silence of an agent that should be at work. */
export const silenceOf = (state: State, agent: Agent): Silence | undefined =>
	agent.turn.phase === 'live' && shouldSpeak(state, agent) ? agent.turn.silent : undefined;

/** Returns whether the model of an agent that should be working has sent nothing yet. */
export const isQuiet = (state: State, agent: Agent): boolean =>
	agent.turn.phase === 'live' && agent.turn.quiet === true && shouldSpeak(state, agent);

/** Returns whether silence of an agent is a sign of trouble: not if it has finished, waits for an answer or is frozen. */
const shouldSpeak = ({items}: State, agent: Agent): boolean => {
	const {id, state, turn, listening, spokeAt} = agent;
	const looksForAnswer = items.some(
		item =>
			item.kind === 'question' &&
			item.agent === id &&
			item.file !== undefined &&
			item.escalated !== true,
	);
	return (
		state === 'RUNNING' &&
		!looksForAnswer &&
		turn.phase === 'live' &&
		turn.pausedAt === undefined &&
		listening.length === 0 &&
		spokeAt === undefined
	);
};

/** Returns whether an agent's last turn has ended and its worktree is pinned as the turn left it. */
export const isAtRest = (agent: Agent): boolean => {
	const exit = exitReason(agent.turn.number);
	switch (agent.turn.phase) {
		case 'none':
			return !agent.wanted.includes(exit);
		case 'live':
			return false;
		case 'ended':
			return hasSnapshot(agent, exit);
	}
};

/** Returns whether the merge need not wait for an agent: it is accepted, out of the session, or an arbiter, which has no work of its own. */
export const isSettled = (agent: Agent): boolean => {
	if (agent.arbitrates !== undefined) {
		return true;
	}

	switch (agent.state) {
		case 'ABORTED':
		case 'MERGED':
			return true;
		case 'COMPLETE':
		case 'FAILED':
			return agent.verdict.kind === 'accepted';
		case 'PENDING':
		case 'SPAWNING':
		case 'RUNNING':
		case 'CHECKPOINT':
			return false;
	}
};

/** Returns whether replies can be written to an agent's open input. */
export const takesReplies = ({subtask: {agent}}: Agent): boolean =>
	agent.protocol === 'text' && agent.reply === 'stdin';

/** Returns whether an agent uses ACP: it asks before it acts, and ends its turns itself. */
export const isAsking = ({subtask: {agent}}: Agent): boolean => agent.protocol === 'acp';

/** Returns the reason of the snapshot that is taken before a permission is given. */
export const askedReason = (request: string): string => `asked:${request}`;

/** Maximum number of open questions of one agent, since a person reads each of them. */
export const mostOpenQuestions = 20;

/** Reply to an agent that asks more questions. */
export const heldBackText = `Nobody was asked: ${mostOpenQuestions} questions of yours wait for an answer already. Ask this one again when they are answered, and those that you asked after it.`;

/** Returns the number of further questions that an agent can ask. */
export const roomForQuestions = ({items}: State, agent: string): number => {
	const open = items.filter(item => item.kind === 'question' && item.agent === agent);
	return Math.max(0, mostOpenQuestions - open.length);
};

/** Tells an agent that a question was held back, with only one such reply at a time. */
export const heldBack = (
	state: State,
	id: string,
	{seq}: {readonly seq: number},
	{question, id: name}: Question,
): State =>
	agentOf(state, id)?.replies.some(reply => reply.heldBack)
		? state
		: withReply(state, id, {
				item: `held-back-${seq}`,
				heading: 'CLARIFICATION RESPONSE',
				about: question,
				text: heldBackText,
				heldBack: true,
				...defined({question: name}),
			});

/** Returns a name for an agent's object that is unique across sessions. */
export const outerName = (session: string | undefined, agent: string, name: string): string =>
	`${session}_${agent}_${name}`;

/** Returns a name for a file in folders of the agent's own, independent of its name there, which could otherwise name another session. */
export const broughtOutName = (session: string | undefined, agent: string, name: string): string =>
	outerName(session, agent, `own_${name.replaceAll('DEL-', 'DEL_')}`);

/** Returns the supervision of an agent: its own settings over the plan's. */
export const supervisionOf = (state: State, id: string | undefined): SupervisionPolicy => ({
	...policyIn(state.session?.plan.supervision),
	...policyIn(id === undefined ? undefined : agentOf(state, id)?.subtask.supervision),
});
