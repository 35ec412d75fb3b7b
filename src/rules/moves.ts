import type {AgentState, BodyOf} from '../events/event.ts';
import type {Agent} from '../state/agent.ts';
import {hasSnapshot, holdsOf, isAtRest, isLive, itemsOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {freePlaces, waitsFor} from './places.ts';
import {exhausted} from './retries.ts';

/**
Returns the moves between states that are due, in the order of the plan.

They follow from what is true, not from what happened last: a crash between a signal and the move it demands loses nothing, since the move is still due.
*/
export const dueMoves = (state: State): readonly BodyOf<'agent.moved'>[] => {
	if (!state.session || state.session.ended) {
		return [];
	}

	const moves: BodyOf<'agent.moved'>[] = [];
	let places = freePlaces(state);
	for (const agent of state.agents) {
		const move = agent.state === 'PENDING' ? start(state, agent, places) : next(state, agent);
		if (move) {
			moves.push({kind: 'agent.moved', agent: agent.id, from: agent.state, ...move});
			places -= move.to === 'SPAWNING' ? 1 : 0;
		}
	}

	return moves;
};

type Move = {readonly to: AgentState; readonly why: string} | undefined;

const start = (state: State, agent: Agent, places: number): Move => {
	if (agent.verdict.kind === 'doomed') {
		return {to: 'ABORTED', why: agent.verdict.why};
	}

	return state.session?.approved && places > 0 && waitsFor(state, agent).length === 0
		? {to: 'SPAWNING', why: 'a place is free'}
		: undefined;
};

const next = (state: State, agent: Agent): Move => {
	if (agent.state === 'MERGED' || agent.state === 'ABORTED') {
		return undefined;
	}

	if (agent.verdict.kind === 'doomed') {
		return isAtRest(agent) ? {to: 'ABORTED', why: agent.verdict.why} : undefined;
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
			return concluded(state, agent);
		default:
			return undefined;
	}
};

const spawned = (state: State, agent: Agent): Move => {
	if (isLive(agent)) {
		return {to: 'RUNNING', why: 'took its prompt'};
	}

	const failed = ['prepare', 'restore', 'start']
		.map(effect => exhausted(state, `${effect}:${agent.id}`))
		.find(message => message !== undefined);
	return failed === undefined ? undefined : {to: 'FAILED', why: `start failed: ${failed}`};
};

const ran = (state: State, agent: Agent): Move => {
	const lost = exhausted(state, `snapshot:${agent.id}`);
	if (lost !== undefined) {
		return {to: 'FAILED', why: `its work could not be captured: ${lost}`};
	}

	if (agent.turn.phase === 'ended' && isAtRest(agent)) {
		return afterTurn(state, agent, agent.turn);
	}

	return agent.pause && hasSnapshot(agent, agent.pause.reason)
		? {to: 'CHECKPOINT', why: agent.pause.why}
		: undefined;
};

type Ended = Extract<Agent['turn'], {phase: 'ended'}>;

const afterTurn = (state: State, agent: Agent, turn: Ended): Move => {
	if (turn.end.by === 'lost' && agent.outcome === undefined) {
		return {to: 'CHECKPOINT', why: 'supervisor gone'};
	}

	const death = deathOf(turn);
	if (death !== undefined) {
		return {to: 'FAILED', why: death};
	}

	if (itemsOf(state, agent.id).length > 0 || agent.replies.length > 0) {
		return {to: 'CHECKPOINT', why: agent.pause?.why ?? 'let go of its turn while it waits'};
	}

	if (agent.outcome) {
		return agent.outcome;
	}

	const failed = exhausted(state, `start:${agent.id}`);
	if (failed !== undefined) {
		return {to: 'FAILED', why: `can't be started again: ${failed}`};
	}

	return agent.reminded ? {to: 'FAILED', why: 'ended without a completion report'} : undefined;
};

const deathOf = ({end, lastError}: Ended): string | undefined => {
	const cause = lastError === undefined ? '' : `: ${lastError}`;
	if (end.by === 'exit' && end.code !== 0) {
		return `exited with code ${end.code}${cause}`;
	}

	return end.by === 'signal' ? `was killed by ${end.signal}${cause}` : undefined;
};

const checkpointed = (state: State, agent: Agent): Move => {
	if (isLive(agent)) {
		// What it paused for is forgotten once it is started again or its replies are written to its input.
		return agent.pause === undefined && holdsOf(state, agent).length === 0
			? {to: 'RUNNING', why: 'resumed'}
			: undefined;
	}

	if (!isAtRest(agent)) {
		return undefined;
	}

	if (agent.outcome?.by === 'person') {
		return agent.outcome;
	}

	if (agent.outcome && goesOnWithoutWords(state, agent)) {
		return {to: 'RUNNING', why: 'continued; it had already finished'};
	}

	const failed = exhausted(state, `start:${agent.id}`) ?? exhausted(state, `restore:${agent.id}`);
	return failed === undefined ? undefined : {to: 'FAILED', why: `can't be resumed: ${failed}`};
};

/** It said that it is done before a person looked at its checkpoint, and the person had nothing to add. */
const goesOnWithoutWords = (state: State, agent: Agent): boolean =>
	itemsOf(state, agent.id).length === 0 &&
	agent.restore === undefined &&
	agent.replies.every(({heading, text}) => heading === 'CHECKPOINT REVIEWED' && text === '');

const concluded = (state: State, agent: Agent): Move => {
	if (state.merge.phase === 'published' && state.merge.built.agents.includes(agent.id)) {
		return {to: 'MERGED', why: 'its work was published'};
	}

	if (agent.state === 'FAILED') {
		return agent.verdict.kind === 'retried'
			? {to: 'SPAWNING', why: 'a person asked to try again'}
			: undefined;
	}

	return isLive(agent) ? {to: 'RUNNING', why: 'took up feedback'} : undefined;
};

/** Returns whether an agent that has finished is to work again. */
export const isSentBack = (agent: Agent): boolean =>
	agent.replies.some(({heading}) => heading === 'REVIEW FEEDBACK' || heading === 'MERGE CONFLICT');
