import {RequestError} from '@agentclientprotocol/sdk';
import type {TurnEnd} from '../../events/event.ts';
import type {ModelLimit, ModelTrouble} from '../../events/model-trouble.ts';
import {Failure} from '../../lib/failure.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {withoutStop} from '../../lib/without-stop.ts';
import {shortLine} from '../one-line.ts';
import {troubleInWords, troubleOfError} from '../trouble/read-error.ts';
import {troubleText} from '../trouble/trouble-text.ts';
import type {TurnOutcome} from '../turn.ts';

/** What is known of a request that failed. */
export type Circumstances = {
	/** What was asked of the agent, as what follows "it did not". */
	readonly doing: string;
	/** Aborted when it took too long, or when nobody wants it any more. */
	readonly signal: AbortSignal;
	readonly outcome: TurnOutcome;
	/** How a person logs in, as what follows "to log in". */
	readonly login?: string;
};

/** Returns why a conversation could not be opened, as an error for a person. */
export const failureOf = (
	error: unknown,
	{doing, signal, outcome, login}: Circumstances,
): Failure => {
	if (error instanceof Failure) {
		return error;
	}

	if (signal.aborted) {
		return new Failure('refused', `The agent did not ${doing} in time.`, {
			hint: `see whether its program starts by hand${lastWords(outcome)}`,
			cause: error,
		});
	}

	if (error instanceof RequestError) {
		return new Failure('refused', causeOf(error, login), {
			hint: 'fix that with the agent’s own program, then try again',
			cause: error,
		});
	}

	return new Failure('refused', `The agent did not ${doing}: ${endWords(outcome)}`, {
		hint: 'see whether its program starts by hand',
		cause: error,
	});
};

/** How a turn ended that failed. */
export type FailedEnd = Extract<TurnEnd, {by: 'error'}>;

/** Returns the end of a turn that failed of trouble with its agent's model. */
export const failedOf = (trouble: ModelTrouble, login: string | undefined): FailedEnd => ({
	by: 'error',
	cause: troubleText(trouble, login),
	trouble,
});

/** Returns the end of a turn that met a limit, as its agent told of it in fields of its own: words tell of it to the minute. */
export const withLimit = <End extends TurnEnd>(end: End, limit: ModelLimit | undefined): End =>
	limit !== undefined && end.by === 'error' && end.trouble?.kind === 'rate'
		? {...end, trouble: {...end.trouble, limit}}
		: end;

/** Returns how a turn ended whose prompt failed. */
export const endOf = (
	error: unknown,
	outcome: TurnOutcome | undefined,
	login?: string,
): TurnEnd => {
	if (error instanceof RequestError) {
		return failedOf(troubleOfError(error, thisMoment()), login);
	}

	if (outcome === undefined) {
		return {by: 'error', cause: error instanceof Error ? error.message : String(error)};
	}

	const {end} = outcome;
	return end.by === 'exit' && end.code === 0
		? {by: 'error', cause: 'its process ended in the middle of a turn'}
		: end;
};

/** Returns how a turn ended of an agent that tells its failure in nothing but words, with the command that may help. */
export const failedInWords = (said: string, login: string | undefined): FailedEnd => {
	const words = shortLine(said);
	const trouble = troubleInWords(said, thisMoment());
	const cause =
		login !== undefined && trouble.kind === 'login'
			? `${withoutStop(words)}; to log in, ${login}`
			: words;
	return {by: 'error', cause, ...(trouble.kind === 'unknown' ? {} : {trouble})};
};

const causeOf = (error: RequestError, login: string | undefined): string =>
	troubleText(troubleOfError(error, thisMoment()), login);

const endWords = ({end, lastError}: TurnOutcome): string => {
	const how =
		end.by === 'exit'
			? `its process ended with code ${end.code}`
			: `its process was killed${end.by === 'signal' ? ` by ${end.signal}` : ''}`;
	return lastError === undefined ? `${how}.` : `${how}: ${shortLine(lastError)}`;
};

const lastWords = ({lastError}: TurnOutcome): string =>
	lastError === undefined ? '' : `; it said last: ${shortLine(lastError)}`;
