import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import envPaths from 'env-paths';
import {type Caller, type CallerIntent, requireNoOwnAgent} from '../../control/caller.ts';
import {Failure} from '../../lib/failure.ts';
import {isAbsence} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {processEnvironment} from '../../lib/process/process-table.ts';
import {fieldsAre, type Guarded, isString, itemsAre} from '../../lib/values.ts';
import type {RepositoryFolder} from '../folder.ts';
import {requireAttended, supervisedSince} from './require-person.ts';

/** Returns the file of all tokens of this user: in the folder of their config, where no agent is led. */
const tokensFile = (): string => join(envPaths('delegate-tui', {suffix: ''}).config, 'tokens.json');

const areTokens = itemsAre(
	fieldsAre({
		name: isString,
		digest: (value): value is string => isString(value) && /^[\da-f]{64}$/.test(value),
		madeAt: isString,
	}),
);

/** A token by which a script of a person's decides for them; only its digest is kept. */
export type DecisionToken = Guarded<typeof areTokens>[number];

/** @throws `Failure` of kind `refused` where the file can't be read, so that no token is taken for revoked or valid by that */
export const decisionTokens = (): readonly DecisionToken[] => {
	const path = tokensFile();
	try {
		const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
		if (areTokens(found)) {
			return found;
		}

		throw new Error('The file is not a list of tokens.');
	} catch (cause) {
		if (isAbsence(cause)) {
			return [];
		}

		throw new Failure('refused', `The tokens in ${path} can’t be read.`, {
			hint: 'remove that file, and make the tokens again',
			cause,
		});
	}
};

/** Makes a token, keeps its digest, and returns the token itself, which nobody can be told again. */
export const makeDecisionToken = async (name: string, now: string): Promise<string> => {
	const others = decisionTokens();
	if (!/^[\w.-]{1,40}$/.test(name)) {
		throw new Failure('usage', 'A token’s name is up to 40 letters, digits, dots and dashes.');
	}

	if (others.some(other => other.name === name)) {
		throw new Failure('refused', `There is a token ${name} already.`, {
			hint: `delegate-tui token revoke ${name}`,
		});
	}

	const secret = randomBytes(32).toString('base64url');
	await keep([...others, {name, digest: digestOf(secret).toString('hex'), madeAt: now}]);
	return secret;
};

/** Revokes a token. */
export const revokeDecisionToken = async (name: string): Promise<void> => {
	const tokens = decisionTokens();
	const others = tokens.filter(token => token.name !== name);
	if (others.length === tokens.length) {
		throw new Failure('refused', `There is no token ${name}.`, {hint: 'delegate-tui token'});
	}

	await keep(others);
};

/**
Returns the name of the token that somebody shows.

@throws `Failure` of kind `refused` when it is none, or none any more
*/
const nameOfToken = (shown: string): string => {
	const digest = digestOf(shown);
	// Each is compared to its end, so that the time it takes tells nothing.
	const [found] = decisionTokens().filter(token =>
		timingSafeEqual(Buffer.from(token.digest, 'hex'), digest),
	);
	if (found === undefined) {
		throw new Failure('refused', 'The token that was shown does not exist, or was revoked.', {
			hint: 'delegate-tui token lists yours',
		});
	}

	return found.name;
};

/** Requires authority to decide: a valid token, or else the caller's origin; returns the token's name. */
export const requireAuthority = (
	caller: Caller,
	{
		shown,
		folder,
		adopters,
		intent,
	}: {
		readonly shown: string | undefined;
		readonly folder: RepositoryFolder;
		readonly adopters?: readonly number[];
		readonly intent: CallerIntent;
	},
): string | undefined => {
	if (shown !== undefined) {
		return nameOfToken(shown);
	}

	requireAttended(caller, supervisedSince(folder), adopters);
	if (intent === 'deciding' && caller.kind === 'process') {
		requireNoOwnAgent(processEnvironment(caller.pid));
	}

	return undefined;
};

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const keep = async (tokens: readonly DecisionToken[]): Promise<void> => {
	const path = tokensFile();
	await mkdir(dirname(path), {recursive: true, mode: 0o700});
	await writeAtomically(path, `${JSON.stringify(tokens, undefined, '\t')}\n`, {mode: 0o600});
};
