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

/** Returns the file with all tokens of this user. It is in their config folder, to which agents get no access. */
const tokensFile = (): string => join(envPaths('delegate-tui', {suffix: ''}).config, 'tokens.json');

const areTokens = itemsAre(
	fieldsAre({
		name: isString,
		digest: (value): value is string => isString(value) && /^[\da-f]{64}$/.test(value),
		madeAt: isString,
	}),
);

/** Token with which a person's script decides for them; only its digest is stored. */
export type DecisionToken = Guarded<typeof areTokens>[number];

/** @throws `Failure` of kind `refused` if the file can't be read, since then no token is known to be valid or revoked */
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

/** Creates a token, stores its digest, and returns the token, which can't be shown again. */
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

export const revokeDecisionToken = async (name: string): Promise<void> => {
	const tokens = decisionTokens();
	const others = tokens.filter(token => token.name !== name);
	if (others.length === tokens.length) {
		throw new Failure('refused', `There is no token ${name}.`, {hint: 'delegate-tui token'});
	}

	await keep(others);
};

/**
Returns the name of a presented token.

@throws `Failure` of kind `refused` when it isn't valid, or no longer
*/
const nameOfToken = (shown: string): string => {
	const digest = digestOf(shown);
	// Compare all tokens in constant time.
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

/** Requires authority to decide: a valid token, or else a caller that is no agent; returns the token's name. */
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
