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
export const endOf = (
	error: unknown,
	outcome: TurnOutcome | undefined,
	login?: string,
): TurnEnd => {
	if (error instanceof RequestError) {
		return {by: 'error', cause: causeOf(error, login)};
	}

	if (outcome === undefined) {
		return {by: 'error', cause: error instanceof Error ? error.message : String(error)};
	}

	const {end} = outcome;
	return end.by === 'exit' && end.code === 0
		? {by: 'error', cause: 'its process ended in the middle of a turn'}
		: end;
};

/** What services say to whoever has not logged in. */
const loginWords =
	/\b401\b|unauthori[sz]ed|authenticat|\bapi[ _]key\b|\blog(?:ged)? ?in\b|\/login\b/i;

/** Returns why an agent failed that tells it in nothing but words, with the command that may help. */
export const causeInWords = (said: string, login: string | undefined): string => {
	const words = short(said);
	return login !== undefined && loginWords.test(words)
		? `${words.replace(/\.$/, '')}; to log in, ${login}`
		: words;
};

/** Something that a person can do about, in words and by the names that agents have for it. */
type Cause = {
	readonly words: string;
	readonly advice: (login: string | undefined) => string | undefined;
	/** Codes of the protocol, and those of HTTP that an agent passes on. */
	readonly codes: readonly number[];
	/** What an agent calls it in the data of its error. */
	readonly names: readonly string[];
};

const causes: readonly Cause[] = [
	{
		words: 'it is not logged in',
		advice: login => (login === undefined ? undefined : `to log in, ${login}`),
		codes: [-32000, 401, 403],
		names: ['authentication_error', 'authentication_failed', 'ProviderAuthError'],
	},
	{
		words: 'its account is out of credit',
		advice: () => 'add some, then try again',
		codes: [402],
		names: ['billing_error'],
	},
	{
		words: 'its model takes no more requests for now',
		advice: () => 'try again in a while',
		codes: [429],
		names: ['rate_limit', 'rate_limit_error'],
	},
	{
		words: 'the service of its model has trouble',
		advice: () => 'try again in a while',
		codes: [500, 502, 503, 504, 529],
		names: ['server_error', 'overloaded', 'overloaded_error'],
	},
	{
		// opencode passes on what was said, but not the status it was said with.
		words: 'the service of its model refused',
		advice: login => (login === undefined ? undefined : `if that is for want of a login, ${login}`),
		codes: [],
		names: ['APIError'],
	},
];

const number = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);

const dataSchema = z.object({errorKind: text, errorName: text, statusCode: number, status: number});

/** A name says more than a code: most agents have one code for all that goes wrong. */
const causeOf = ({code, message, data}: RequestError, login: string | undefined): string => {
	const said = dataSchema.safeParse(data).data;
	const names = [said?.errorKind, said?.errorName];
	const codes = [said?.statusCode, said?.status, code];
	const cause =
		causes.find(({names: known}) => names.some(name => name && known.includes(name))) ??
		causes.find(({codes: known}) => codes.some(each => each && known.includes(each)));
	const advice = cause?.advice(login);
	return [
		`${cause?.words ?? 'the agent reported an error'}: ${short(wordsIn(message)).replace(/\.$/, '')}`,
		...(advice === undefined ? [] : [advice]),
	].join('; ');
};

const upstreamSchema = z.object({error: z.object({message: z.string()})});

/** Some agents pass on what their model's service answered, as it is. */
const wordsIn = (message: string): string => {
	try {
		return upstreamSchema.safeParse(JSON.parse(message)).data?.error.message ?? message;
	} catch {
		return message;
	}
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
