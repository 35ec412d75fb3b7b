import {RequestError} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {TurnEnd} from '../../events/event.ts';
import {Failure} from '../../lib/failure.ts';
import {oneLine} from '../one-line.ts';
import type {TurnOutcome} from '../turn.ts';

/** What is known of a request that failed. */
export type Circumstances = {
	/** What was asked of the agent, as what follows "it did not". */
	readonly doing: string;
	/** Aborted when it took too long, or when nobody wants it any more. */
	readonly signal: AbortSignal;
	readonly outcome: TurnOutcome;
};

/** Returns why a conversation could not be opened, as an error for a person. */
export const failureOf = (error: unknown, {doing, signal, outcome}: Circumstances): Failure => {
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
		return new Failure('refused', causeOf(error), {
			hint: 'mend that with the agent’s own program, then try again',
			cause: error,
		});
	}

	return new Failure('refused', `The agent did not ${doing}: ${endWords(outcome)}`, {
		hint: 'see whether its program starts by hand',
		cause: error,
	});
};

/** Returns how a turn ended whose prompt failed. */
export const endOf = (error: unknown, outcome: TurnOutcome | undefined): TurnEnd => {
	if (error instanceof RequestError) {
		return {by: 'error', cause: causeOf(error)};
	}

	if (outcome === undefined) {
		return {by: 'error', cause: error instanceof Error ? error.message : String(error)};
	}

	const {end} = outcome;
	return end.by === 'exit' && end.code === 0
		? {by: 'error', cause: 'its process ended in the middle of a turn'}
		: end;
};

const dataSchema = z.object({errorKind: z.string()});

/** Words for the causes that agents tell in a way that a program can read. */
const kindWords: Readonly<Record<string, string>> = {
	authentication_error: 'it is not logged in',
	authentication_failed: 'it is not logged in',
	rate_limit: 'its model takes no more requests for now',
	billing_error: 'its account is out of credit',
	server_error: 'the service of its model has trouble',
	overloaded: 'the service of its model has trouble',
};

/** Codes of the protocol, and those of HTTP that an agent passes on. */
const codeWords: Readonly<Record<number, string>> = {
	[-32000]: 'it is not logged in',
	401: 'it is not logged in',
	402: 'its account is out of credit',
	403: 'it is not logged in',
	429: 'its model takes no more requests for now',
};

const causeOf = ({code, message, data}: RequestError): string => {
	const kind = dataSchema.safeParse(data).data?.errorKind ?? '';
	const words = kindWords[kind] ?? codeWords[code] ?? 'the agent reported an error';
	return `${words}: ${short(message)}`;
};

const endWords = ({end, lastError}: TurnOutcome): string => {
	const how =
		end.by === 'exit'
			? `its process ended with code ${end.code}`
			: `its process was killed${end.by === 'signal' ? ` by ${end.signal}` : ''}`;
	return lastError === undefined ? `${how}.` : `${how}: ${short(lastError)}`;
};

const lastWords = ({lastError}: TurnOutcome): string =>
	lastError === undefined ? '' : `; it said last: ${short(lastError)}`;

/** Longest message of an agent that is passed on, in characters. */
const maximumLength = 300;

const short = (text: string): string => {
	const line = oneLine(text);
	return line.length <= maximumLength ? line : `${line.slice(0, maximumLength)}…`;
};
