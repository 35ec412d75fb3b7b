import type {Deadline} from '../../events/deadline.ts';
import type {Event, EventOf} from '../../events/event.ts';
import {omit} from '../../lib/omit.ts';
import {type Agent, newAgent} from '../agent/agent.ts';
import {resultsHandedOver} from '../agent/awaiting.ts';
import {snapshotChecked} from '../agent/claims/snapshot-check.ts';
import {withFindingsNotified, workCompared} from '../agent/compared.ts';
import {listenedInVain} from '../agent/listening.ts';
import {scopeGranted} from '../granted.ts';
import {commandEnded} from '../items/blocker/command.ts';
import {withoutIdleArbiters} from '../items/conflict/arbiter.ts';
import {outcomeChecked} from '../items/conflict/outcome-check.ts';
import {withConflict} from '../items/conflict/resolved.ts';
import {limitReset} from '../login-limits.ts';
import {partChecked} from '../merge/parts.ts';
import {withoutHalves} from '../rivals/reopen.ts';
import {itemOf} from '../select.ts';
import {emptyState, hasPassed, type State, withAgent, withItem, withTime} from '../state.ts';
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
import {decided} from './apply-decision.ts';
import {effectFailed} from './apply-failure.ts';
import {mergeBlocked} from './apply-git-settings.ts';
import {closed, limitMet, tokensCounted, usedUp} from './apply-limits.ts';
import {diskChanged, survivorsChanged, turnChanged} from './apply-machine.ts';
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

/** Returns the state after an event: the only maker of state, pure and total. */
export const apply = (state: State, event: Event): State =>
	resultsHandedOver(withoutHalves(withoutIdleArbiters(change(arrived(state, event), event))));

const arrived = (state: State, {seq, at, aheadMs = state.aheadMs}: Event): State => ({
	...withTime(state, at, aheadMs),
	seq,
});

/** Returns the state that a whole journal tells. */
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
		case 'conversation.opened':
			return withAgent(state, event.agent, agent => ({
				...agent,
				conversation: event.conversation,
				conversationSince: event.at,
				conversationTurn: event.turn,
			}));
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
		case 'scope.left':
			return scopeLeft(state, event);
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
			return mergePublished(state, event);
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
		case 'machine.clock':
			return state;
		case 'machine.interrupted':
			return clearedUp(state, event);
		case 'machine.documents':
			return {...state, documents: event.troubles};
		case 'machine.questions':
			return {...state, questionFiles: event.troubles};
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
			session: {...session, startedAt: at, tip: session.base, approved: false},
			agents: session.plan.agents.map(subtask => newAgent(subtask, state.awake)),
		},
		{kind: 'plan'},
	);
};

/** What a supervisor found stays until it is decided over, even if the next one finds nothing. */
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
		? withConflict(state, {...item, manual: {phase: 'open', folder: event.folder}})
		: state;
};

/** Only limits and a slow start ask something of a person; the rules look the others up. */
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
			return usedUp(passed, deadline.agent, 'work');
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

/** How far it said it was, it is no longer. */
const restored = (agent: Agent): Agent => ({
	...omit(agent, 'restore'),
	progress: null,
	updates: omit(agent.updates, 'phase', 'status'),
});
