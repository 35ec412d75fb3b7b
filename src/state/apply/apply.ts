import {type Awake, awakeFor, awakeLater, type Deadline} from '../../events/deadline.ts';
import type {Body, BodyOf, Event, EventOf} from '../../events/event.ts';
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
	withReplaced,
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
	resultsHandedOver(withoutHalves(withoutIdleArbiters(changed(arrived(state, event), event))));

const changed = (state: State, event: Event): State =>
	(changes[event.kind] as (state: State, event: Event) => State)(state, event);

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
		? withReplaced(state, {
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
		return {...state, items: [...state.items.filter(({id}) => id !== item.id), item]};
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

/**
Returns whether an entry of the journal is an event that this version knows.

A reader skips others; a supervisor doesn't append to them.
*/
export const isEvent = (entry: {readonly kind: string}): entry is Event =>
	Object.hasOwn(changes, entry.kind);

/** What each kind of event changes; the type guarantees that the list is complete. */
const changes: {
	readonly [K in Body['kind']]: (state: State, event: Event & {readonly kind: K}) => State;
} = {
	'session.started': sessionStarted,
	'session.ended': sessionEnded,
	'supervisor.started': supervisorStarted,
	'target.moved': targetMoved,
	'agent.moved': agentMoved,
	'workspace.prepared': workspacePrepared,
	'turn.started': (state, event) =>
		turnStarted(withFindingsNotified(state, event.agent, event.collisions ?? []), event),
	'turn.changed': turnChanged,
	'limit.shared': limitShared,
	'conversation.opened': (state, event) =>
		withAgent(state, event.agent, agent => ({
			...agent,
			conversation: event.conversation,
			conversationSince: event.at,
			conversationTurn: event.turn,
		})),
	'login.wanted': (state, event) =>
		withAgent(state, event.agent, agent => ({...agent, loginWays: event.ways})),
	'commands.announced': (state, event) =>
		withAgent(state, event.agent, agent => ({...agent, commands: event.commands})),
	'permission.asked': permissionAsked,
	'reply.delivered': replyDelivered,
	'command.ended': commandEnded,
	'turn.ended': turnEnded,
	'signal.said': signalSaid,
	'question.withdrawn': questionWithdrawn,
	'answer.rejected': answerRejected,
	'tokens.counted': tokensCounted,
	'load.counted': loadCounted,
	'scope.left': scopeLeft,
	'access.denied': accessDenied,
	'scope.granted': scopeGranted,
	'snapshot.taken': snapshotTaken,
	'snapshot.checked': snapshotChecked,
	'snapshot.restored': (state, event) => withAgent(state, event.agent, restored),
	'user.decided': (state, event) => decided({...state, found: null, notCleared: null}, event),
	'user.steered': (state, event) => steered({...state, found: null}, event),
	'work.compared': workCompared,
	'conflict.found': conflictFound,
	'conflict.gone': conflictGone,
	'resolution.opened': resolutionOpened,
	'merge.blocked': mergeBlocked,
	'merge.built': mergeBuilt,
	'verify.ended': verifyEnded,
	'part.checked': partChecked,
	'outcome.checked': outcomeChecked,
	'merge.intended': (state, event) =>
		event.undoes === undefined
			? mergeIntended(state, event)
			: undoIntended(state, event, event.undoes),
	'merge.published': (state, event) => ({
		...mergePublished(state, event),
		written: [],
		message: null,
		allTypesOf: null,
	}),
	'merge.undone': mergeUndone,
	'merge.refused': mergeRefused,
	'machine.disk': diskChanged,
	'machine.survivors': survivorsChanged,
	'machine.waiting': (state, event) => ({...state, waiting: event.git}),
	'machine.checkout': (state, event) => ({
		...state,
		written: [...new Set([...state.written, ...event.paths])].slice(0, mostWritten),
	}),
	'machine.clock': state => state,
	'push.changed': state => state,
	'machine.interrupted': clearedUp,
	'machine.documents': (state, event) => ({...state, documents: event.troubles}),
	'machine.questions': (state, event) => ({
		...state,
		questionFiles: event.troubles,
		questionErrors: event.items ?? {},
	}),
	'deadline.passed': (state, event) => deadlinePassed(state, event.deadline),
	'effect.failed': effectFailed,
};
