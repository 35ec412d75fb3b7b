import {RequestError} from '@agentclientprotocol/sdk';
import type {TurnEnd} from '../../events/event.ts';
import type {ModelLimit, ModelTrouble, TroubleKind} from '../../events/model-trouble.ts';
import {Failure} from '../../lib/failure.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {withoutStop} from '../../lib/text/words.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {troubleInWords, troubleOfError} from '../trouble/read-error.ts';
import {shortLine, type TurnOutcome} from '../turn.ts';

/** The circumstances of a failed request. */
export type Circumstances = {
	/** Action that failed, to follow "it did not". */
	readonly doing: string;
	/** Aborted when it took too long, or is no longer needed. */
	readonly signal: AbortSignal;
	readonly outcome: TurnOutcome;
	/** How a person logs in, to follow "to log in". */
	readonly login?: string;
};

/** Returns the `Failure` for a conversation that could not be opened. */
export const openingFailure = (
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

export type FailedEnd = Extract<TurnEnd, {by: 'error'}>;

/** Returns the end of a turn that failed because of the agent's model. */
export const failedOf = (trouble: ModelTrouble, login: string | undefined): FailedEnd => ({
	by: 'error',
	cause: troubleText(trouble, login),
	trouble,
});

/**
Returns the end of a turn that met a limit, with the agent's own fields about it: its words give the time only to the minute, or not at all.

An end with another known cause, such as a refused login, stays unchanged.
*/
export const withLimit = <End extends TurnEnd>(end: End, limit: ModelLimit | undefined): End => {
	if (limit === undefined || end.by !== 'error') {
		return end;
	}

	const {trouble = {kind: 'unknown', said: end.cause}} = end;
	return trouble.kind === 'rate' || trouble.kind === 'unknown'
		? {...end, trouble: {...trouble, kind: 'rate', limit}}
		: end;
};

/** Returns the end of a turn whose prompt failed. */
export const turnEndOf = (
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

/** Returns the end of a turn whose agent reports its failure only in words, with a command that may help. */
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

/** Returns a sentence about a trouble, without its full stop: its kind, the agent's words, and advice; `login` follows "to log in". */
export const troubleText = (trouble: ModelTrouble, login: string | undefined): string => {
	const advice = adviceOn(trouble, login);
	return [
		`${headlines[trouble.kind]}: ${withoutStop(trouble.said)}`,
		...(advice === undefined ? [] : [advice]),
	].join('; ');
};

/** Each is true for all causes: a service reports a missing login and a wrong key alike. */
const headlines: Readonly<Record<TroubleKind, string>> = {
	login: 'it is not logged in, or its login was refused',
	access: 'the service of its model refused it access',
	credit: 'its account is out of credit',
	rate: 'its model takes no more requests for now',
	overloaded: 'the service of its model is overloaded',
	service: 'the service of its model has trouble',
	network: 'the service of its model can’t be reached',
	context: 'its conversation is too long for its model',
	model: 'its model was not found',
	request: 'the service of its model refused the request',
	refused: 'its model refused to answer',
	limit: 'its model reached its limit for a turn',
	unknown: 'the agent reported an error',
};

const adviceOn = (
	{kind, retryAfterMs, limit}: ModelTrouble,
	login: string | undefined,
): string | undefined => {
	switch (kind) {
		case 'login':
			return login === undefined ? undefined : `to log in, ${login}`;
		case 'access':
			return login === undefined ? undefined : `if that is for lack of a login, ${login}`;
		case 'credit':
			return 'add some, then try again';
		case 'rate':
		case 'overloaded':
		case 'service':
			if (limit !== undefined) {
				return `requests are taken again at ${limit.until.slice(0, 10)} ${limit.until.slice(11, 16)} UTC`;
			}

			return retryAfterMs === undefined
				? undefined
				: `it asks to be tried again in ${formatDuration(Math.max(1000, retryAfterMs))}`;
		case 'network':
			return 'see whether the network is there';
		case 'model':
			return 'name another one in the plan or in the agent’s own settings';
		case 'context':
			return '`restart` has it begin a new one, in its worktree as it is';
		case 'request':
		case 'refused':
		case 'limit':
		case 'unknown':
			return undefined;
	}
};
