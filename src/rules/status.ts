import type {PublishedResult} from '../events/kinds/merge-event.ts';
import type {Reply} from '../events/reply.ts';
import {namedPolicy} from '../events/supervision.ts';
import {shortOid} from '../lib/text/words.ts';
import {defined, omit} from '../lib/values.ts';
import type {Moment} from '../lib/zoned-time.ts';
import type {Agent} from '../state/agent/agent.ts';
import {resultsOf, summedUp} from '../state/agent/awaiting.ts';
import {isUrgent} from '../state/item.ts';
import {blockingItems} from '../state/items.ts';
import {acceptedAgents, withoutText} from '../state/merge/members.ts';
import {rivalsOf} from '../state/rivals/rivals.ts';
import {silenceOf, supervisionOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {collisionNotices, liveCollisions} from './collisions.ts';
import {conditionsOf, type Look} from './conditions.ts';
import {isMerging} from './effects/merging.ts';
import {waitsFor} from './effects/slots.ts';
import {shownItems} from './inbox.ts';
import {limitWaitOf, whyOf} from './limit-wait.ts';
import {noticesOf} from './notices.ts';
import type {Spent} from './report/agent-report.ts';

/** A session's status; `PROTOCOL, From review to merge`. */
export type SessionStatus = 'ACTIVE' | 'MERGING' | 'COMPLETE' | 'ABORTED';

export const sessionStatus = (state: State): SessionStatus =>
	state.session?.ended?.status ??
	(isMerging(state) || state.merge.phase === 'intended' ? 'MERGING' : 'ACTIVE');

/** Returns the merge step that the session is doing by itself, as a sentence; nothing if the merge waits for a person. */
export const mergeStep = (state: State): string | undefined => {
	if (state.session?.ended !== undefined) {
		return undefined;
	}

	switch (state.merge.phase) {
		case 'built':
			return 'The merged result is being checked; you are asked when that is done.';
		case 'approved':
		case 'intended':
			return 'The approved result is being merged …';
		case 'none':
			return isMerging(state) ? 'The accepted work is being compared and combined …' : undefined;
		case 'blocked':
		case 'failed':
		case 'verified':
			return undefined;
	}
};

/** Data about an agent from outside its events. */
export type Besides = {
	readonly worktree: string;
	readonly branch: string;
	/** Usage; absent if it reported none. */
	readonly spent?: Spent;
	/** Number of changed files at the last look at its worktree, and the time of that look. */
	readonly changed?: {readonly at: string; readonly files: number};
	/** Last usage of the turn's processes. */
	readonly load?: {
		readonly at: string;
		readonly turn: number;
		readonly cpu: number;
		readonly memory: number;
		readonly processes: number;
	};
	/** Time of the last report about it. */
	readonly reportedAt?: string;
} & Pick<Look, 'preparing'>;

/** Returns the status of a session and its agents; `DESIGN §5, status --json`. */
export const statusOf = (
	state: State,
	besides: (agent: string) => Besides,
	moment: Moment = {now: state.at, zone: 'UTC'},
) => ({
	session: state.session && {
		id: state.session.session,
		status: sessionStatus(state),
		target: state.session.target,
		task: state.session.plan.task,
	},
	merges: state.publications.map(({phase, built: {commit, agents, files}}) => ({
		commit,
		agents,
		files,
		stands: phase === 'standing',
	})),
	accepted: acceptedAgents(state).map(({id}) => id),
	agents: state.agents.map(agent => agentStatus(state, agent, besides(agent.id), moment)),
	inbox: shownItems(state).length,
	urgent: shownItems(state).filter(isUrgent).length,
	sandbox: state.sandbox ?? {level: 'none' as const, why: 'No supervisor has reported it yet.'},
	health: {...healthOf(state), disk: state.disk, survivors: state.survivors},
	notices: [...noticesOf(state, moment), ...collisionNotices(state)],
	collisions: liveCollisions(state).map(({a, b, findings}) => ({a, b, findings})),
});

const agentStatus = (
	state: State,
	agent: Agent,
	{worktree, branch, spent, changed, load, reportedAt, preparing}: Besides,
	moment: Moment,
) => ({
	id: agent.id,
	subtask: agent.subtask.subtask,
	state: agent.state,
	why: whyOf(state, agent, moment),
	limit: limitWaitOf(state, agent)?.until ?? null,
	pausedAt: agent.held ?? null,
	messages: messagesOf(agent),
	progress: agent.progress,
	phase: agent.updates.phase ?? null,
	...waiting(state, agent),
	requestedBy: agent.requestedBy ?? null,
	after: agent.subtask.after,
	rivals: rivalsOf(state, agent.id).map(({id}) => id),
	supervision: namedPolicy(supervisionOf(state, agent.id)),
	worktree,
	branch,
	filesModified: filesOf(agent, changed),
	checkpoints: agent.checkpoints,
	errors: agent.errors,
	title: agent.updates.title ?? null,
	created: agent.updates.created,
	counts: agent.updates.counts,
	results: hasEnded(agent) ? summedUp(agent) : resultsOf(agent),
	tokens: spent?.tokens ?? null,
	cost: spent?.cost ?? null,
	load: isLoadOf(agent, load) ? omit(load, 'turn') : null,
	startedAt: agent.startedAt ?? null,
	lastActivityAt: latest(agent.lastAt, reportedAt) ?? null,
	silentSince: silenceOf(state, agent)?.since ?? null,
	conditions: conditionsOf(state, agent, {
		now: moment.now,
		files: filesOf(agent, changed),
		...defined({preparing}),
	}),
});

export const isLoadOf = <Load extends {readonly turn: number}>(
	{turn}: Agent,
	load: Load | undefined,
): load is Load => turn.phase === 'live' && load?.turn === turn.number;

/** Returns whether the agent's work has ended, in success or failure; its results are summed up then. */
const hasEnded = ({state}: Agent): boolean =>
	state === 'COMPLETE' || state === 'FAILED' || state === 'MERGED' || state === 'ABORTED';

/** Returns the number of changed files: the last look at the worktree counts until there is a newer snapshot. */
const filesOf = ({snapshots}: Agent, changed: Besides['changed']): number => {
	const last = snapshots.at(-1);
	return changed !== undefined && changed.at > (last?.at ?? '')
		? changed.files
		: (last?.files ?? 0);
};

/** ISO strings of one form sort by time. */
const latest = (...times: readonly (string | undefined)[]): string | undefined =>
	times.toSorted().findLast(time => time !== undefined);

/** Returns a person's unread messages. */
const messagesOf = ({replies}: Agent) =>
	replies.flatMap(({heading, item, text}) => (heading === 'MESSAGE' ? [{id: item, text}] : []));

/** Returns when an agent reads a person's message: in its turn if it takes words there; a slash command always waits for the end of the turn. */
export const whenRead = ({turn}: Agent, {command}: Pick<Reply, 'command'> = {}): string =>
	turn.phase === 'live' && turn.takesWords === true && !command
		? 'as soon as it has ended what it is doing'
		: turn.phase === 'live'
			? 'once its turn has ended'
			: 'at its next turn';

/** Returns the first of these that exists: items that hold the agent, agents with work that it handed on, an item of its own, agents that must finish before it. */
const waiting = (state: State, agent: Agent) => {
	const shown = shownItems(state).find(item => 'agent' in item && item.agent === agent.id);
	const reasons = [
		blockingItems(state, agent).map(({id}) => id),
		(agent.awaits ?? []).map(({agent: id}) => id),
		shown === undefined ? [] : [shown.id],
		agent.state === 'PENDING' ? waitsFor(state, agent) : [],
	];
	const [waitingFor = null, ...alsoWaitingFor] = reasons.find(({length}) => length > 0) ?? [];
	return {waitingFor, alsoWaitingFor};
};

/** Numbers about the health of a session. */
export type Health = {
	readonly running: number;
	readonly queued: number;
	/** Agents that the session knows. */
	readonly registrySize: number;
	readonly waitingQuestions: number;
	/** Items that wait for a person, including questions. */
	readonly waitingItems: number;
	/** Agents with a result: finished, merged, or salvaged. */
	readonly storedResults: number;
};

/** Returns the numbers of running, waiting and finished agents, and of items that wait for a person. */
export const healthOf = (state: State): Health => {
	const {agents, items} = state;
	const salvaged = acceptedAgents(state).filter(({state}) => state === 'FAILED');
	const done = agents.filter(({state}) => state === 'COMPLETE' || state === 'MERGED');
	return {
		running: agents.filter(({turn}) => turn.phase === 'live').length,
		queued: agents.filter(({state}) => state === 'PENDING').length,
		registrySize: agents.length,
		waitingQuestions: items.filter(({kind}) => kind === 'question').length,
		waitingItems: items.length,
		storedResults: done.length + salvaged.length,
	};
};

/** Returns the tree that a merge published, and whether exactly that tree was checked. */
export const publishedTree = ({tree, checked, leftOut}: PublishedResult): string =>
	`, tree ${shortOid(tree)}, ${words[checked]}${withoutText(leftOut)}`;

const words = {
	passed: 'exactly as it was checked',
	failed: 'whose check FAILED',
	not: 'not checked',
} satisfies Readonly<Record<PublishedResult['checked'], string>>;
