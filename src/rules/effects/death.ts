import type {Agent} from '../../state/agent/agent.ts';
import type {State} from '../../state/state.ts';
import {modelRetryOf} from './model-retry.ts';

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

/** What a shell or a namespace says of a program that was ended by SIGKILL. */
const killedCode = 137;

const killed = 'was killed by SIGKILL, perhaps for lack of memory';

/** Whatever an agent wrote before it was killed, the cause of that it is not. */
const writtenLast = (lastError: string | undefined): string =>
	lastError === undefined ? '' : `; it wrote last: ${lastError}`;

/** However its last turn ended, a person has it start over. Once a turn has begun for that, its end counts like any other, also where it is to be told again. */
export const isAnew = ({replies}: Pick<Agent, 'replies'>): boolean =>
	replies.some(({heading, cutsShort}) => heading === 'STARTED ANEW' && cutsShort);
