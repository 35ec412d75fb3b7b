import type {Agent} from '../state/agent/agent.ts';
import {blockingItems} from '../state/blocking-items.ts';
import {acceptedAgents, silenceOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {collisionNotices, liveCollisions} from './collisions.ts';
import {isMergeable} from './effects/merging.ts';
import {waitsFor} from './effects/places.ts';
import {noticesOf} from './notices.ts';
import type {Spent} from './report/agent-report.ts';

/** A session's status; `PROTOCOL, From review to merge`. */
export type SessionStatus = 'ACTIVE' | 'MERGING' | 'COMPLETE' | 'ABORTED';

/** Returns where a session stands as a whole. */
export const sessionStatus = (state: State): SessionStatus =>
	state.session?.ended?.status ??
	(isMergeable(state) || state.merge.phase === 'intended' ? 'MERGING' : 'ACTIVE');

/** What is known of an agent from elsewhere than its events. */
export type Besides = {
	readonly worktree: string;
	readonly branch: string;
	/** What it has used up; absent where it told nothing. */
	readonly spent?: Spent;
};

/** Returns what readers show of a session and its agents; `DESIGN §5, status --json`. */
export const statusOf = (state: State, besides: (agent: string) => Besides) => ({
	session: state.session && {
		id: state.session.session,
		status: sessionStatus(state),
		target: state.session.target,
		task: state.session.plan.task,
	},
	agents: state.agents.map(agent => agentStatus(state, agent, besides(agent.id))),
	inbox: state.items.length,
	sandbox: state.sandbox ?? {level: 'none' as const, why: 'No supervisor has said yet.'},
	health: healthOf(state),
	notices: [...noticesOf(state), ...collisionNotices(state)],
	collisions: liveCollisions(state).map(({a, b, findings}) => ({a, b, findings})),
});

const agentStatus = (state: State, agent: Agent, {worktree, branch, spent}: Besides) => ({
	id: agent.id,
	subtask: agent.subtask.subtask,
	state: agent.state,
	why: agent.why,
	pausedAt: agent.held ?? null,
	messages: messagesOf(agent),
	progress: agent.progress,
	phase: agent.told.phase ?? null,
	waitingFor: waiting(state, agent),
	requestedBy: agent.requestedBy ?? null,
	after: agent.subtask.after,
	supervision: state.session?.plan.supervision ?? 'supervised',
	worktree,
	branch,
	filesModified: agent.snapshots.at(-1)?.files ?? 0,
	checkpoints: agent.checkpoints,
	errors: agent.errors,
	tokens: spent?.tokens ?? null,
	cost: spent?.cost ?? null,
	startedAt: agent.startedAt ?? null,
	lastActivityAt: agent.lastAt ?? null,
	silentSince: silenceOf(agent)?.since ?? null,
});

/** What a person wrote to it and it has not read yet. */
const messagesOf = ({replies}: Agent) =>
	replies.flatMap(({heading, item, text}) => (heading === 'MESSAGE' ? [{id: item, text}] : []));

const waiting = (state: State, agent: Agent): string | null =>
	blockingItems(state, agent)[0]?.id ??
	state.items.find(item => 'agent' in item && item.agent === agent.id)?.id ??
	(agent.state === 'PENDING' ? waitsFor(state, agent)[0] : undefined) ??
	null;

const healthOf = (state: State) => ({
	running: state.agents.filter(({turn}) => turn.phase === 'live').length,
	queued: state.agents.filter(({state}) => state === 'PENDING').length,
	waitingQuestions: state.items.filter(({kind}) => kind === 'question').length,
	storedResults: acceptedAgents(state).length,
	disk: state.disk,
	survivors: state.survivors,
});
