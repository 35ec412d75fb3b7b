import type {AgentState, BodyOf} from '../../events/event.ts';
import type {ReplyHeading} from '../../events/reply.ts';
import type {Agent, AgentOutcome} from '../../state/agent/agent.ts';
import {whyClosing} from '../../state/agent/allowance.ts';
import type {Item} from '../../state/item.ts';
import {blockingItems, isHeldUp} from '../../state/items.ts';
import {limitOf} from '../../state/login-limits.ts';
import {withoutText} from '../../state/merge/members.ts';
import {standingWith} from '../../state/merge/publication.ts';
import {hasSnapshot, isAtRest, isLive, itemsOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {modelRetryOf} from './model-retry.ts';
import {deathOf, type Ended, isAnew, isSentBack} from './prompts.ts';
import {exhausted, isStill} from './retries.ts';
import {freeSlots, returning, waitsFor} from './slots.ts';

/**
Returns the moves between states that are due, in the order of the plan.

They follow from the state, not from the last event: a crash between a signal and its move loses nothing, since the move is still due.
*/
export const dueMoves = (state: State): readonly BodyOf<'agent.moved'>[] => {
	if (!state.session || state.session.ended) {
		return [];
	}

	const moves: BodyOf<'agent.moved'>[] = [];
	let slots = freeSlots(state) - returning(state).length;
	for (const agent of state.agents) {
		const move = agent.state === 'PENDING' ? start(state, agent, slots) : next(state, agent, slots);
		if (move) {
			moves.push({kind: 'agent.moved', agent: agent.id, from: agent.state, ...move});
			slots -= move.to === 'SPAWNING' ? 1 : 0;
		}
	}

	return moves;
};

type Move = {readonly to: AgentState; readonly why: string} | undefined;

/** Starts an agent; an arbiter begins from the colliding works, so it waits until these are no longer being changed. */
const start = (state: State, agent: Agent, slots: number): Move => {
	if (agent.verdict.kind === 'cancelled') {
		return {to: 'ABORTED', why: agent.verdict.why};
	}

	return state.session?.approved &&
		slots > 0 &&
		limitOf(state, agent.id) === undefined &&
		agent.held === undefined &&
		waitsFor(state, agent).length === 0 &&
		(agent.arbitrates === undefined || state.merge.phase === 'blocked')
		? {to: 'SPAWNING', why: 'it can start'}
		: undefined;
};

const next = (state: State, agent: Agent, slots: number): Move => {
	if (agent.state === 'MERGED') {
		return unmerged(state, agent);
	}

	if (agent.state === 'ABORTED') {
		return undefined;
	}

	if (agent.verdict.kind === 'cancelled') {
		return isStill(state, agent) ? {to: 'ABORTED', why: agent.verdict.why} : undefined;
	}

	switch (agent.state) {
		case 'SPAWNING':
			return spawned(state, agent);
		case 'RUNNING':
			return ran(state, agent);
		case 'CHECKPOINT':
			return checkpointed(state, agent);
		case 'COMPLETE':
		case 'FAILED':
			return concluded(state, agent, slots);
		case 'PENDING':
			return undefined;
	}
};

const unmerged = (state: State, {id}: Agent): Move =>
	standingWith(state, id) ? undefined : {to: 'COMPLETE', why: 'its merge was taken back'};

const spawned = (state: State, agent: Agent): Move => {
	if (agent.turn.phase !== 'none') {
		return {to: 'RUNNING', why: 'was given its prompt'};
	}

	const failed = (['prepare', 'restore', 'start'] as const)
		.map(what => exhausted(state, what, agent.id))
		.find(message => message !== undefined);
	if (failed !== undefined) {
		return {to: 'FAILED', why: `start failed: ${failed}`};
	}

	const uncaptured = isAtRest(agent) ? undefined : whyUncaptured(state, agent);
	return uncaptured === undefined ? undefined : {to: 'FAILED', why: uncaptured};
};

const whyUncaptured = (state: State, agent: Agent): string | undefined => {
	const message = exhausted(state, 'snapshot', agent.id);
	return message === undefined ? undefined : `its work could not be captured: ${message}`;
};

const ran = (state: State, agent: Agent): Move => {
	const uncaptured = whyUncaptured(state, agent);
	if (uncaptured !== undefined) {
		return {to: 'FAILED', why: uncaptured};
	}

	if (agent.turn.phase === 'ended' && isAtRest(agent)) {
		return afterTurn(state, agent, agent.turn);
	}

	return agent.pause && hasSnapshot(agent, agent.pause.reason)
		? {to: 'CHECKPOINT', why: agent.pause.why}
		: undefined;
};

const afterTurn = (state: State, agent: Agent, turn: Ended): Move => {
	if (turn.end.by === 'lost' && agent.outcome === undefined) {
		return {to: 'CHECKPOINT', why: agent.held === undefined ? 'supervisor gone' : paused};
	}

	const retry = modelRetryOf(state, agent);
	if (retry?.kind === 'at') {
		return {to: 'CHECKPOINT', why: retry.why};
	}

	const death = deathOf(state, agent, turn);
	if (death !== undefined) {
		return {to: 'FAILED', why: death};
	}

	const waits = agent.outcome ? blockingItems(state, agent) : itemsOf(state, agent.id);
	if (waits.length > 0 || isHeldUp(state, agent) || hasToTell(agent)) {
		return {to: 'CHECKPOINT', why: whyLetGo(agent, waits)};
	}

	if (agent.outcome) {
		return concluding(agent.outcome);
	}

	if (agent.held !== undefined) {
		return {to: 'CHECKPOINT', why: paused};
	}

	const failed = exhausted(state, 'start', agent.id);
	if (failed !== undefined) {
		return {to: 'FAILED', why: `can’t be started again: ${failed}`};
	}

	if (retry !== undefined) {
		return {to: 'CHECKPOINT', why: 'tries its model again'};
	}

	return agent.reminded ? {to: 'FAILED', why: unreported(agent, turn)} : undefined;
};

/** Returns whether there is a reply for the agent; a message that came after its completion doesn't undo that: the person is told, and may send it back. */
const hasToTell = ({outcome, replies}: Agent): boolean =>
	replies.some(({heading}) => outcome === undefined || heading !== 'MESSAGE');

const paused = 'paused by you';

const whyLetGo = ({held, pause, replies, closing}: Agent, waits: readonly Item[]): string => {
	if (held !== undefined) {
		return paused;
	}

	if (isAnew({replies})) {
		return 'starts over';
	}

	if (closing !== undefined) {
		return `${whyClosing(closing)}; it says where it stands`;
	}

	if (waits.some(({kind}) => kind === 'limit')) {
		return 'has reached its limit';
	}

	const isWrittenTo = waits.length === 0 && replies.some(({heading}) => heading === 'MESSAGE');
	return pause?.why ?? (isWrittenTo ? 'is told what you wrote' : 'paused for you');
};

const unreported = ({malformed}: Agent, {lastWords}: Ended): string => {
	const report = malformed.findLast(({signal}) => signal === 'completion_report');
	return report === undefined
		? ['ended without a completion report', ...(lastWords === undefined ? [] : [lastWords])].join(
				'; it said last: ',
			)
		: `its completion report can’t be read: ${report.reason}`;
};

const concluding = ({to, why}: AgentOutcome): Move => ({to, why});

const checkpointed = (state: State, agent: Agent): Move => {
	if (isLive(agent)) {
		// The reason for the pause is cleared once it is started again or its replies are written to its input.
		return agent.pause === undefined && agent.held === undefined && !isHeldUp(state, agent)
			? {to: 'RUNNING', why: 'resumed'}
			: undefined;
	}

	const uncaptured = whyUncaptured(state, agent);
	if (!isAtRest(agent) || agent.turn.phase !== 'ended') {
		return uncaptured === undefined ? undefined : {to: 'FAILED', why: uncaptured};
	}

	if (agent.outcome?.by === 'person') {
		return concluding(agent.outcome);
	}

	const death = deathOf(state, agent, agent.turn);
	if (death !== undefined) {
		return {to: 'FAILED', why: death};
	}

	if (agent.outcome && goesOnWithoutWords(state, agent)) {
		return {to: 'RUNNING', why: 'continued; it had already finished'};
	}

	const failed = exhausted(state, 'start', agent.id) ?? exhausted(state, 'restore', agent.id);
	return failed === undefined ? undefined : {to: 'FAILED', why: `can’t be resumed: ${failed}`};
};

/** Headings of replies that add nothing if they are empty: they only let the agent continue. */
const permissions: readonly ReplyHeading[] = [
	'CHECKPOINT REVIEWED',
	'TIME EXTENDED',
	'TIME LIMIT',
	'TOKEN LIMIT',
];

/** Returns whether an agent completes after its checkpoint: it had reported completion before the review, and the person added nothing. */
const goesOnWithoutWords = (state: State, agent: Agent): boolean =>
	!isHeldUp(state, agent) &&
	agent.restore === undefined &&
	agent.replies.every(({heading, text}) => permissions.includes(heading) && text === '');

const concluded = (state: State, agent: Agent, slots: number): Move => {
	const published = standingWith(state, agent.id);
	if (published !== undefined) {
		const leftOut = published.built.leftOut?.filter(({of}) => of.includes(agent.id));
		return {to: 'MERGED', why: `its work was merged${withoutText(leftOut)}`};
	}

	if (agent.state === 'COMPLETE') {
		// The outcome stays until a turn begins; that turn may be lost before this move is written.
		return agent.outcome === undefined ? {to: 'RUNNING', why: 'took up feedback'} : undefined;
	}

	const again = agent.verdict.kind === 'retried' || isSentBack(agent);
	return again &&
		slots > 0 &&
		limitOf(state, agent.id) === undefined &&
		!isLive(agent) &&
		agent.rework === undefined
		? {to: 'SPAWNING', why: 'a person asked to try again'}
		: undefined;
};
