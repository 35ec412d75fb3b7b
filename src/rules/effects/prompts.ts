import type {PromptKind} from '../../events/event.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isSpinning} from '../../state/agent/allowance.ts';
import {isHeldUp} from '../../state/items.ts';
import {limitOf} from '../../state/login-limits.ts';
import {sendsBack} from '../../state/reply.ts';
import {isAtRest, isLive, itemsOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {modelRetryOf, modelWaitOf} from './model-retry.ts';

/** Returns what kind of prompt an agent is to be started with, or nothing when it is not to be started. */
export const promptOf = (state: State, agent: Agent): PromptKind | undefined =>
	limitOf(state, agent.id) === undefined ? duePrompt(state, agent) : undefined;

/** Returns with what kind of prompt an agent would be started, were there no limit of its login. */
export const duePrompt = (state: State, agent: Agent): PromptKind | undefined => {
	if (
		isLive(agent) ||
		!isAtRest(agent) ||
		agent.verdict.kind === 'cancelled' ||
		agent.workspace.phase === 'wanted' ||
		agent.held !== undefined ||
		agent.rework !== undefined ||
		agent.restore !== undefined ||
		agent.granted !== undefined ||
		isSpinning(state, agent)
	) {
		return undefined;
	}

	switch (agent.state) {
		case 'SPAWNING':
			return agent.snapshots.length === 0 ? 'launch' : 'resume';
		case 'RUNNING':
			return agent.turn.phase === 'ended' && isUnfinished(state, agent) ? 'reminder' : undefined;
		case 'CHECKPOINT':
			return canResume(state, agent) && !isPausing(state, agent) ? 'resume' : undefined;
		case 'COMPLETE':
			return isSentBack(agent) ? 'resume' : undefined;
		case 'PENDING':
		case 'FAILED':
		case 'MERGED':
		case 'ABORTED':
			return undefined;
	}
};

/** A limit is waited for by all that work with its login, whether they met it or not. */
const isPausing = (state: State, agent: Agent): boolean => {
	const wait = modelWaitOf(state, agent);
	return wait !== undefined && wait.limit === undefined;
};

/** Returns whether an agent that has finished is to work again. */
export const isSentBack = (agent: Agent): boolean => agent.replies.some(sendsBack);

/** Returns whether a turn ended well, but without a report on the subtask. */
const isUnfinished = (state: State, agent: Agent): boolean =>
	agent.turn.phase === 'ended' &&
	agent.turn.end.by !== 'lost' &&
	(agent.turn.end.by !== 'exit' || agent.turn.end.code === 0) &&
	agent.turn.end.by !== 'signal' &&
	agent.turn.end.by !== 'error' &&
	agent.outcome === undefined &&
	!agent.reminded &&
	itemsOf(state, agent.id).length === 0 &&
	agent.replies.length === 0;

/** Nothing holds it, and there is something to tell it: a reply, or that its turn was lost. */
const canResume = (state: State, agent: Agent): boolean =>
	!isHeldUp(state, agent) &&
	agent.outcome?.by !== 'person' &&
	(agent.replies.length > 0 || itemsOf(state, agent.id).length === 0);

/** A turn that is over. */
export type Ended = Extract<Agent['turn'], {phase: 'ended'}>;

/** A turn that ends itself with anything but 0 has failed, whatever was said in it; trouble of a model, which is not the agent's doing, is outlived. */
export const deathOf = (
	state: State,
	agent: Agent,
	{end, lastError}: Ended,
): string | undefined => {
	if (isAnew(agent)) {
		return undefined;
	}

	switch (end.by) {
		case 'exit':
			if (end.code === killedCode) {
				return `${killed} (exit code ${killedCode})${writtenLast(lastError)}`;
			}

			if (lastError?.startsWith(killedInside)) {
				return killed;
			}

			return end.code === 0
				? undefined
				: `exited with code ${end.code}${lastError === undefined ? '' : `: ${lastError}`}`;
		case 'signal':
			return `${end.signal === 'SIGKILL' ? killed : `was killed by ${end.signal}`}${writtenLast(lastError)}`;
		case 'error':
			return troubleOf(state, agent, end);
		case 'stopped':
		case 'lost':
			return undefined;
	}
};

type Failed = Extract<Ended['end'], {by: 'error'}>;

const troubleOf = (state: State, agent: Agent, {cause, trouble}: Failed): string | undefined => {
	if (trouble !== undefined && agent.outcome?.by === 'agent') {
		return undefined;
	}

	const retry = modelRetryOf(state, agent);
	switch (retry?.kind) {
		case undefined:
			return cause;
		case 'never':
			return retry.why;
		case 'at':
		case 'now':
			return undefined;
	}
};

/** Exit code of a shell or a namespace whose program was ended by SIGKILL. */
const killedCode = 137;

/** `unshare` fails so, with the exit code 1, where the first process of its namespace was ended by SIGKILL. */
const killedInside = 'unshare: sigprocmask unblock failed';

const killed = 'was killed by SIGKILL, perhaps for lack of memory';

/** Appends the last output before a kill, which is not its cause. */
const writtenLast = (lastError: string | undefined): string =>
	lastError === undefined ? '' : `; it wrote last: ${lastError}`;

/** However its last turn ended, a person has it start over. Once a turn has begun for that, its end counts like any other, also where it is to be told again. */
export const isAnew = ({replies}: Pick<Agent, 'replies'>): boolean =>
	replies.some(({heading, cutsShort}) => heading === 'STARTED ANEW' && cutsShort);
