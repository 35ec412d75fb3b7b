import {atOnce, ifThere, readRegularFile} from '../../lib/files/reading.ts';
import {createLineSplitter} from '../../lib/text/lines.ts';
import {defined} from '../../lib/values.ts';
import type {Activity} from '../model.ts';
import {
	type Account,
	emptyAccount,
	type Latest,
	type LineEnd,
	latestOf,
	placePassages,
	type ReadDetail,
	readDetail,
	type SpentTokens,
	withDetail,
} from './account.ts';

/** Accounts of a session's agents, by id. */
export type Accounts = Readonly<Record<string, Account>>;

export const withDetails = (accounts: Accounts, details: readonly ReadDetail[]): Accounts => {
	const changed: Record<string, Account> = {...accounts};
	for (const detail of details) {
		changed[detail.agent] = withDetail(changed[detail.agent] ?? emptyAccount, detail);
	}

	return changed;
};

/** Returns the activities for the screen, given the ends of the kept lines of each agent's words. */
export const activitiesOf = (
	accounts: Accounts,
	ends: (agent: string) => readonly LineEnd[],
): Readonly<Record<string, Activity>> =>
	Object.fromEntries(
		Object.entries(accounts).map(([agent, account]) => {
			const {plan, spent} = account;
			const passages = placePassages(account, ends(agent));
			return [agent, {plan, spent, passages, ...latestOf(account)}];
		}),
	);

/** Maximum length of a line, in characters. */
export const maximumLength = 512 * 1024;

export type AgentTelemetry = Latest & {
	/** Reported usage. */
	readonly spent?: SpentTokens;
	/** Time of its last own report. */
	readonly at?: string;
};

/** Returns the last telemetry of a session's agents, by id. */
export const readTelemetry = async (
	telemetry: string,
): Promise<Readonly<Record<string, AgentTelemetry>>> => {
	const times = new Map<string, string>();
	let accounts: Accounts = {};
	const lines = createLineSplitter({
		maxLength: maximumLength,
		onLine: line => {
			// Observations from outside are no reports of the agent, and have the agent's name last.
			const [, at, agent] = beginning.exec(line) ?? [];
			if (at !== undefined && agent !== undefined) {
				times.set(agent, at);
			}

			const detail = isOfUse(line) ? readDetail(line) : undefined;
			accounts = detail === undefined ? accounts : withDetails(accounts, [detail]);
		},
	});
	for (let at = 0, end = 1; at < end; ) {
		const piece = atOnce(() => readRegularFile(telemetry, at, pieceBytes));
		const {bytes, size} = (await ifThere(piece)) ?? {bytes: new Uint8Array(), size: 0};
		lines.push(bytes);
		at += bytes.length;
		end = bytes.length === 0 ? 0 : size;
	}

	lines.end();

	return Object.fromEntries(
		[...new Set([...times.keys(), ...Object.keys(accounts)])].map(agent => [
			agent,
			{...reportedIn(accounts[agent]), ...defined({at: times.get(agent)})},
		]),
	);
};

const pieceBytes = 1024 * 1024;

const reportedIn = (account: Account = emptyAccount): Omit<AgentTelemetry, 'at'> => {
	const {spent} = account;
	const isReported =
		spent.tokens > 0 || spent.context !== undefined || Object.keys(spent.cost).length > 0;
	return {...(isReported ? {spent} : {}), ...latestOf(account)};
};

/** Matches the beginning of each line: most lines are about other things, and parsing one takes a hundred times as long. */
const beginning = /^\{"at":"([^"]+)","agent":"([^"]+)"/;

const isOfUse = (line: string): boolean =>
	['tokens', 'usage', 'changed', 'load', 'preparing'].some(kind =>
		line.includes(`"kind":"${kind}"`),
	);
