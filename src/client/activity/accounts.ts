import {open} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {ifThere} from '../../lib/files/reading.ts';
import {createLineSplitter} from '../../lib/text/lines.ts';
import {defined} from '../../lib/values.ts';
import type {Activity} from '../model.ts';
import {followTail} from '../tails.ts';
import {
	type Account,
	type Changed,
	emptyAccount,
	type LineEnd,
	type Load,
	placePassages,
	type ReadDetail,
	readDetail,
	type SpentTokens,
	withDetail,
} from './account.ts';

/** The accounts of all agents of a session by their ids. */
type Accounts = Readonly<Record<string, Account>>;

export const withDetails = (accounts: Accounts, details: readonly ReadDetail[]): Accounts => {
	const changed: Record<string, Account> = {...accounts};
	for (const detail of details) {
		changed[detail.agent] = withDetail(changed[detail.agent] ?? emptyAccount, detail);
	}

	return changed;
};

/** Returns what the screen is drawn from, given where the lines that are kept of an agent's words end. */
export const activitiesOf = (
	accounts: Accounts,
	ends: (agent: string) => readonly LineEnd[],
): Readonly<Record<string, Activity>> =>
	Object.fromEntries(
		Object.entries(accounts).map(([agent, account]) => {
			const {plan, spent, changed, load} = account;
			const passages = placePassages(account, ends(agent));
			return [agent, {plan, spent, passages, ...defined({changed, load})}];
		}),
	);

/** The accounts of a session that is under way. */
export type LiveAccounts = {readonly all: () => Accounts; readonly close: () => void};

/** Of a telemetry that is long already only so much is read, in bytes. */
const maximumBytes = 4 * 1024 * 1024;

/** Longest line that is read, in characters. */
const maximumLength = 512 * 1024;

/** Follows the telemetry of a session, which need not be there yet. */
export const followAccounts = (telemetry: string, onChange: () => void): LiveAccounts => {
	const closing = new AbortController();
	const name = basename(telemetry);
	let accounts: Accounts = {};
	let fresh: ReadDetail[] = [];
	followTail({
		folder: dirname(telemetry),
		pick: names => names.filter(other => other === name),
		maximumBytes,
		maximumLength,
		onLine: line => {
			const detail = readDetail(line);
			if (detail !== undefined) {
				fresh.push(detail);
				onChange();
			}
		},
		signal: closing.signal,
		// What can't be followed is not shown; the journal tells all that decides anything.
	}).catch(() => {});
	return {
		all: () => {
			if (fresh.length > 0) {
				accounts = withDetails(accounts, fresh);
				fresh = [];
			}

			return accounts;
		},
		close: () => closing.abort(),
	};
};

/** What is known of an agent from the telemetry. */
export type AgentTelemetry = {
	/** What it has used up, as far as it told. */
	readonly spent?: SpentTokens;
	readonly changed?: Changed;
	readonly load?: Load;
	/** When it last told anything. */
	readonly at?: string;
};

/** Returns what the telemetry of a session tells of its agents, by their ids. */
export const readTelemetry = async (
	telemetry: string,
): Promise<Readonly<Record<string, AgentTelemetry>>> => {
	await using file = await ifThere(open(telemetry));
	const times = new Map<string, string>();
	let accounts: Accounts = {};
	const lines = createLineSplitter({
		maxLength: maximumLength,
		onLine: line => {
			// What is looked at from outside is no word of the agent's, and is written with the agent last.
			const [, at, agent] = beginning.exec(line) ?? [];
			if (at !== undefined && agent !== undefined) {
				times.set(agent, at);
			}

			const detail = isOfUse(line) ? readDetail(line) : undefined;
			accounts = detail === undefined ? accounts : withDetails(accounts, [detail]);
		},
	});
	const chunk = new Uint8Array(64 * 1024);
	for (let length = -1; file !== undefined && length !== 0; ) {
		length = (await file.read(chunk)).bytesRead;
		lines.push(chunk.subarray(0, length));
	}

	lines.end();

	return Object.fromEntries(
		[...new Set([...times.keys(), ...Object.keys(accounts)])].map(agent => [
			agent,
			{...reportedIn(accounts[agent]), ...defined({at: times.get(agent)})},
		]),
	);
};

const reportedIn = (account: Account | undefined): Omit<AgentTelemetry, 'at'> => {
	const {spent, changed, load} = account ?? {};
	const isReported =
		spent !== undefined &&
		(spent.tokens > 0 || spent.context !== undefined || Object.keys(spent.cost).length > 0);
	return {...(isReported ? {spent} : {}), ...defined({changed, load})};
};

/** How the supervisor begins each line; most are about other things, and taking one apart takes a hundred times as long as this. */
const beginning = /^\{"at":"([^"]+)","agent":"([^"]+)"/;

const isOfUse = (line: string): boolean =>
	['tokens', 'usage', 'changed', 'load'].some(kind => line.includes(`"kind":"${kind}"`));
