import type {PromptKind} from '../../events/event.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {isSpinning} from '../../state/agent/allowance.ts';
import {isHeldUp} from '../../state/items.ts';
import {limitOf} from '../../state/login-limits.ts';
import {sendsBack} from '../../state/reply.ts';
import {isAtRest, isLive, itemsOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {modelRetryOf, modelWaitOf} from './model-retry.ts';

/** Returns the kind of prompt with which to start an agent, or nothing if it is not to be started. */
export const promptOf = (state: State, agent: Agent): PromptKind | undefined =>
	limitOf(state, agent.id) === undefined ? duePrompt(state, agent) : undefined;

/** Returns the kind of prompt with which an agent would be started if its login had no limit. */
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

/** Returns whether an agent pauses for its own model trouble; all agents of a login wait for its limit, whether they met it or not. */
const isPausing = (state: State, agent: Agent): boolean => {
	const wait = modelWaitOf(state, agent);
	return wait !== undefined && wait.limit === undefined;
};

/** Returns whether an agent that has finished is to work again. */
export const isSentBack = (agent: Agent): boolean => agent.replies.some(sendsBack);

/** Returns whether a turn ended normally, but without a report on the subtask. */
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

/** Returns whether nothing holds an agent, and there is something to tell it: a reply, or that its turn was lost. */
const canResume = (state: State, agent: Agent): boolean =>
	!isHeldUp(state, agent) &&
	agent.outcome?.by !== 'person' &&
	(agent.replies.length > 0 || itemsOf(state, agent.id).length === 0);

export type Ended = Extract<Agent['turn'], {phase: 'ended'}>;

/** Returns the failure of a turn: a nonzero exit code counts, despite any report; trouble of the model, which is not the agent's fault, may be retried. */
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

/** Exit code of a shell or a namespace whose program was killed by SIGKILL. */
const killedCode = 137;

/** Error of `unshare`, with exit code 1, if the first process of its namespace was killed by SIGKILL. */
const killedInside = 'unshare: sigprocmask unblock failed';

const killed = 'was killed by SIGKILL, perhaps for lack of memory';

/** Appends the last output before a kill, which is not its cause. */
const writtenLast = (lastError: string | undefined): string =>
	lastError === undefined ? '' : `; it wrote last: ${lastError}`;

/** Returns whether a person had the agent start over: the end of its last turn is then ignored. Once the new turn has begun, its end counts like any other, even if the reply has to be sent again. */
export const isAnew = ({replies}: Pick<Agent, 'replies'>): boolean =>
	replies.some(({heading, cutsShort}) => heading === 'STARTED ANEW' && cutsShort);
