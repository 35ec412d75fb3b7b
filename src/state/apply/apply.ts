import {type Awake, awakeFor, awakeLater, type Deadline} from '../../events/deadline.ts';
import type {BodyOf, Event, EventOf} from '../../events/event.ts';
import {defined, omit} from '../../lib/values.ts';
import {accessDenied} from '../agent/access.ts';
import {type Agent, cancel, newAgent, type Turn} from '../agent/agent.ts';
import {resultsHandedOver} from '../agent/awaiting.ts';
import {snapshotChecked, withFindingsNotified, workCompared} from '../agent/compared.ts';
import {listenedInVain} from '../agent/listening.ts';
import {scopeGranted} from '../granted.ts';
import {agentOfItem, type ItemOf, type Kind, readSessionChoice} from '../item.ts';
import {commandEnded} from '../items/blocker.ts';
import {withoutIdleArbiters} from '../items/conflict/arbiter.ts';
import {outcomeChecked} from '../items/conflict/outcome-check.ts';
import {withConflict} from '../items/conflict/resolved.ts';
import {kindOf, readChoice, snoozeWord} from '../items.ts';
import {limitReset, limitShared} from '../login-limits.ts';
import {withMergedNow, withoutResult} from '../merge/members.ts';
import {partChecked} from '../merge/parts.ts';
import {changedText} from '../merge/surface-notes.ts';
import {withoutHalves} from '../rivals/rivals.ts';
import {agentOf, isSettled, itemOf} from '../select.ts';
import {
	emptyState,
	hasPassed,
	type State,
	withAgent,
	withItem,
	withNewAgent,
	withoutItems,
	withTime,
} from '../state.ts';
import {
	agentMoved,
	permissionAsked,
	replyDelivered,
	scopeLeft,
	snapshotTaken,
	turnEnded,
	turnStarted,
	workspacePrepared,
} from './apply-agent.ts';
import {answerRejected, questionWithdrawn} from './apply-asked.ts';
import {effectFailed} from './apply-failure.ts';
import {closed, limitMet, loadCounted, spokenTo, tokensCounted, usedUp} from './apply-limits.ts';
import {
	conflictFound,
	conflictGone,
	mergeBuilt,
	mergeIntended,
	mergePublished,
	mergeRefused,
	targetMoved,
	verifyEnded,
} from './apply-merge.ts';
import {clearedUp, mergeUndone, movesInterrupted, undoIntended} from './apply-publication.ts';
import {signalSaid} from './apply-signal.ts';
import {steered} from './apply-steering.ts';

/** Returns the state after an event: the only function that makes a state, pure and total. */
export const apply = (state: State, event: Event): State =>
	resultsHandedOver(withoutHalves(withoutIdleArbiters(change(arrived(state, event), event))));

/** Maximum number of remembered files of the person's checkout. */
const mostWritten = 100;

const arrived = (state: State, {seq, at, aheadMs = state.aheadMs}: Event): State => ({
	...withTime(state, at, aheadMs),
	seq,
});

/** Replays a whole journal and returns its state. */
export const fold = (events: Iterable<Event>, state: State = emptyState): State => {
	let folded = state;
	for (const event of events) {
		folded = apply(folded, event);
	}

	return folded;
};

const change = (state: State, event: Event): State => {
	switch (event.kind) {
		case 'session.started':
			return sessionStarted(state, event);
		case 'session.ended':
			return sessionEnded(state, event);
		case 'supervisor.started':
			return supervisorStarted(state, event);
		case 'target.moved':
			return targetMoved(state, event);
		case 'agent.moved':
			return agentMoved(state, event);
		case 'workspace.prepared':
			return workspacePrepared(state, event);
		case 'turn.started':
			return turnStarted(withFindingsNotified(state, event.agent, event.collisions ?? []), event);
		case 'turn.changed':
			return turnChanged(state, event);
		case 'limit.shared':
			return limitShared(state, event);
		case 'conversation.opened':
			return withAgent(state, event.agent, agent => ({
				...agent,
				conversation: event.conversation,
				conversationSince: event.at,
				conversationTurn: event.turn,
			}));
		case 'login.wanted':
			return withAgent(state, event.agent, agent => ({...agent, loginWays: event.ways}));
		case 'commands.announced':
			return withAgent(state, event.agent, agent => ({...agent, commands: event.commands}));
		case 'permission.asked':
			return permissionAsked(state, event);
		case 'reply.delivered':
			return replyDelivered(state, event);
		case 'command.ended':
			return commandEnded(state, event);
		case 'turn.ended':
			return turnEnded(state, event);
		case 'signal.said':
			return signalSaid(state, event);
		case 'question.withdrawn':
			return questionWithdrawn(state, event);
		case 'answer.rejected':
			return answerRejected(state, event);
		case 'tokens.counted':
			return tokensCounted(state, event);
		case 'load.counted':
			return loadCounted(state, event);
		case 'scope.left':
			return scopeLeft(state, event);
		case 'access.denied':
			return accessDenied(state, event);
		case 'scope.granted':
			return scopeGranted(state, event);
		case 'snapshot.taken':
			return snapshotTaken(state, event);
		case 'snapshot.checked':
			return snapshotChecked(state, event);
		case 'snapshot.restored':
			return withAgent(state, event.agent, restored);
		case 'user.decided':
			return decided({...state, found: null, notCleared: null}, event);
		case 'user.steered':
			return steered({...state, found: null}, event);
		case 'work.compared':
			return workCompared(state, event);
		case 'conflict.found':
			return conflictFound(state, event);
		case 'conflict.gone':
			return conflictGone(state, event);
		case 'resolution.opened':
			return resolutionOpened(state, event);
		case 'merge.blocked':
			return mergeBlocked(state, event);
		case 'merge.built':
			return mergeBuilt(state, event);
		case 'verify.ended':
			return verifyEnded(state, event);
		case 'part.checked':
			return partChecked(state, event);
		case 'outcome.checked':
			return outcomeChecked(state, event);
		case 'merge.intended':
			return event.undoes === undefined
				? mergeIntended(state, event)
				: undoIntended(state, event, event.undoes);
		case 'merge.published':
			return {...mergePublished(state, event), written: [], message: null, allTypesOf: null};
		case 'merge.undone':
			return mergeUndone(state, event);
		case 'merge.refused':
			return mergeRefused(state, event);
		case 'machine.disk':
			return diskChanged(state, event);
		case 'machine.survivors':
			return survivorsChanged(state, event);
		case 'machine.waiting':
			return {...state, waiting: event.git};
		case 'machine.checkout':
			return {
				...state,
				written: [...new Set([...state.written, ...event.paths])].slice(0, mostWritten),
			};
		case 'machine.clock':
		case 'push.changed':
			return state;
		case 'machine.interrupted':
			return clearedUp(state, event);
		case 'machine.documents':
			return {...state, documents: event.troubles};
		case 'machine.questions':
			return {...state, questionFiles: event.troubles, questionErrors: event.items ?? {}};
		case 'deadline.passed':
			return deadlinePassed(state, event.deadline);
		case 'effect.failed':
			return effectFailed(state, event);
	}
};

const sessionStarted = (state: State, event: EventOf<'session.started'>): State => {
	const {at, ...session} = omit(event, 'kind', 'seq');
	return withItem(
		{
			...state,
			session: {...session, startedAt: at, tip: session.base, ours: [], approved: false},
			agents: session.plan.agents.map(subtask => newAgent(subtask, state.awake)),
		},
		{kind: 'plan'},
	);
};

/** Keeps the findings of a restart until a decision, even if the next restart finds nothing. */
const supervisorStarted = (
	state: State,
	{sandbox, found, at}: EventOf<'supervisor.started'>,
): State =>
	movesInterrupted({
		...state,
		sandbox,
		waiting: null,
		notCleared: null,
		found: found === undefined ? state.found : {...found, at},
	});

const sessionEnded = (state: State, event: EventOf<'session.ended'>): State => ({
	...state,
	items: [],
	session: state.session && {
		...state.session,
		ended: {status: event.status, why: event.why, at: event.at},
	},
});

const resolutionOpened = (state: State, event: EventOf<'resolution.opened'>): State => {
	const item = itemOf(state, event.conflict);
	return item?.kind === 'conflict'
		? withConflict(state, {
				...item,
				manual: {phase: 'open', folder: event.folder, ...defined({files: event.files})},
			})
		: state;
};

/** Records a passed deadline; limits and a slow start also open an item. */
const deadlinePassed = (state: State, deadline: Deadline): State => {
	if (deadline.of === 'reset') {
		return limitReset(state, deadline);
	}

	if (hasPassed(state, deadline)) {
		return state;
	}

	const passed = {...state, passed: [...state.passed, deadline]};
	switch (deadline.of) {
		case 'listening':
			return listenedInVain(passed, deadline);
		case 'near-limit':
			return limitMet(passed, {agent: deadline.agent, of: 'near'});
		case 'limit':
			return usedUp(passed, deadline.agent);
		case 'closing':
			return closed(passed, deadline.agent);
		case 'start':
			return limitMet(passed, {agent: deadline.agent, of: 'start'});
		case 'retry':
		case 'grace':
		case 'model':
			return passed;
	}
};

/** Resets the progress of a restored agent. */
const restored = (agent: Agent): Agent => ({
	...omit(agent, 'restore'),
	progress: null,
	updates: omit(agent.updates, 'phase', 'status'),
});

type Decided = EventOf<'user.decided'>;

/** Applies a person's decision and closes the item, unless it was only snoozed. */
const decided = (before: State, event: Decided): State => {
	if (event.item === 'session') {
		return sessionDecided(before, event);
	}

	const item = itemOf(before, event.item);
	if (item === undefined) {
		return before;
	}

	const state = event.by === 'policy' ? before : spokenTo(before, agentOfItem(item));

	if (event.choice === snoozeWord) {
		return putOff(state, item);
	}

	return itemDecided(state, event, item);
};

const sessionDecided = (state: State, event: Decided): State => {
	if (!state.session) {
		return state;
	}

	const choice = readSessionChoice(event.choice);
	switch (choice?.verb) {
		case 'add':
			return event.subtask === undefined
				? state
				: [event.subtask, ...(event.rivals ?? [])].reduce(
						(before, subtask) => withNewAgent(before, newAgent(subtask, state.awake)),
						state,
					);
		case 'stop':
			return stopped(state);
		case 'merge':
			return withMergedNow(state, choice.agents);
		case 'withdraw':
			return {...state, allowances: state.allowances.filter(({id}) => id !== choice.allowance)};
		case undefined:
			return state;
	}
};

/** Ends a stopped session and keeps all work; it counts as COMPLETE if all agents were settled. */
const stopped = (state: State): State => ({
	...withoutItems(state, () => true),
	session: state.session && {
		...state.session,
		stopping: state.agents.every(isSettled) ? 'COMPLETE' : 'ABORTED',
	},
	agents: state.agents.map(agent => cancel(agent, 'the session was stopped')),
});

const putOff = (state: State, item: ItemOf): State => ({
	...state,
	items: [...state.items.filter(({id}) => id !== item.id), item],
});

/** Applies a decision; a choice that the item does not offer changes nothing. */
const itemDecided = <K extends Kind>(state: State, event: Decided, item: ItemOf<K>): State => {
	const kind = kindOf<K>(item);
	const choice = readChoice<K>(state, item, event.choice);
	if (choice === undefined) {
		return state;
	}

	const left = kind.staysOpen(choice, event)
		? state
		: withoutItems(state, ({id}) => id === item.id);
	return kind.decided(left, item, choice, event);
};

const diskChanged = (state: State, event: EventOf<'machine.disk'>): State => {
	const {level, free, total, folder} = event;
	const {disk} = state;
	return {
		...state,
		disk: level === 'enough' ? null : {level, free, total, folder, since: state.awake},
		agents:
			disk?.level === 'full' && level !== 'full'
				? state.agents.map(agent => thawed(agent, disk.since, state.awake))
				: state.agents,
	};
};

/** Extends the start of an agent by the time for which it was frozen. */
const thawed = (agent: Agent, frozenAt: Awake, at: Awake): Agent => {
	if (agent.state !== 'SPAWNING') {
		return agent;
	}

	const from = agent.extendedAt ?? agent.since;
	const stoodMs = Math.min(awakeFor(frozenAt, at), awakeFor(from, at));
	return {...agent, extendedAt: awakeLater(from, Math.max(0, stoodMs))};
};

/** Replaces the list of an agent's surviving processes. */
const survivorsChanged = (state: State, event: EventOf<'machine.survivors'>): State => ({
	...state,
	survivors: [
		...state.survivors.filter(({agent}) => agent !== event.agent),
		...event.processes.map(left => ({...left, agent: event.agent})),
	],
});

const turnChanged = (state: State, event: EventOf<'turn.changed'>): State => {
	const turn = agentOf(state, event.agent)?.turn;
	if (turn?.phase !== 'live' || turn.number !== event.turn) {
		return state;
	}

	return withAgent(state, event.agent, agent => ({
		...agent,
		turn: changedTurn(turn, event, state.awake),
	}));
};

const changedTurn = (turn: LiveTurn, event: EventOf<'turn.changed'>, at: Awake): LiveTurn => {
	switch (event.to) {
		case 'paused':
			return paused(turn, at);
		case 'going':
			return going(turn, at);
		case 'silent': {
			const {since, during} = event;
			return {...turn, silent: {since, ...defined({during})}};
		}

		case 'quiet':
			return {...turn, quiet: true};
		case 'heard':
			return omit(turn, 'silent', 'quiet');
	}
};

type LiveTurn = Extract<Turn, {phase: 'live'}>;

const paused = (turn: LiveTurn, at: Awake): LiveTurn => ({
	...turn,
	pausedAt: turn.pausedAt ?? at,
});

/** Returns a resumed turn, whose working time excludes the pause. */
const going = ({pausedAt, ...turn}: LiveTurn, at: Awake): LiveTurn =>
	pausedAt === undefined
		? turn
		: {...turn, countedFrom: awakeLater(turn.countedFrom, awakeFor(pausedAt, at))};

/** Blocks the merge: conflicts have to be resolved, or a person has to confirm their changed git settings. */
const mergeBlocked = (state: State, {gitSettings}: BodyOf<'merge.blocked'>): State =>
	gitSettings === undefined
		? withoutResult(state, 'blocked')
		: withItem(withoutResult(state, 'failed'), {
				kind: 'verify',
				commit: '',
				why: `${changedText(gitSettings)} ${heldWords}`,
				gitSettings: gitSettings.digest,
			});

const heldWords =
	'Filters would run with these settings, so none was started. Look at what changed; if you try again, you accept it.';
