import {open} from 'node:fs/promises';
import {defined} from '../../lib/defined.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import type {Account, Changed, Spent} from './account.ts';
import {type Accounts, withDetails} from './accounts.ts';
import {readDetail} from './detail.ts';

/** What is known of an agent from the telemetry. */
export type AgentTelemetry = {
	/** What it has used up, as far as it told. */
	readonly spent?: Spent;
	readonly changed?: Changed;
	/** When anything was last told of it. */
	readonly at: string;
};

/** Returns what the telemetry of a session tells of its agents, by their ids. */
export const readTelemetry = async (
	telemetry: string,
): Promise<Readonly<Record<string, AgentTelemetry>>> => {
	const file = await ifThere(open(telemetry));
	const times = new Map<string, string>();
	let accounts: Accounts = {};
	// The file closes itself at its end.
	for await (const line of file?.readLines() ?? []) {
		const [, at, agent] = beginning.exec(line) ?? [];
		if (at !== undefined && agent !== undefined) {
			times.set(agent, at);
		}

		const detail = isOfUse(line) ? readDetail(line) : undefined;
		accounts = detail === undefined ? accounts : withDetails(accounts, [detail]);
	}

	return Object.fromEntries(
		[...times].map(([agent, at]) => [agent, {...reportedIn(accounts[agent]), at}]),
	);
};

const reportedIn = (account: Account | undefined): Omit<AgentTelemetry, 'at'> => {
	const {spent, changed} = account ?? {};
	const isReported =
		spent !== undefined &&
		(spent.tokens > 0 || spent.context !== undefined || Object.keys(spent.cost).length > 0);
	return {...(isReported ? {spent} : {}), ...defined({changed})};
};

/** How the supervisor begins each line; most are about other things, and taking one apart takes a hundred times as long as this. */
const beginning = /^\{"at":"([^"]+)","agent":"([^"]+)"/;

const isOfUse = (line: string): boolean =>
	['tokens', 'usage', 'changed'].some(kind => line.includes(`"kind":"${kind}"`));
