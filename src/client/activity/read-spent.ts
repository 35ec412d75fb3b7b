import {open} from 'node:fs/promises';
import {ifThere} from '../../lib/files/if-there.ts';
import type {Spent} from './account.ts';
import {type Accounts, withDetails} from './accounts.ts';
import {readDetail} from './detail.ts';

/** What the agents of a session have used up so far, by their ids, as far as they told. */
export const readSpent = async (telemetry: string): Promise<Readonly<Record<string, Spent>>> => {
	const file = await ifThere(open(telemetry));
	let accounts: Accounts = {};
	// The file closes itself at its end.
	for await (const line of file?.readLines() ?? []) {
		const detail = isAboutSpending(line) ? readDetail(line) : undefined;
		accounts = detail === undefined ? accounts : withDetails(accounts, [detail]);
	}

	return Object.fromEntries(Object.entries(accounts).map(([agent, {spent}]) => [agent, spent]));
};

/** Most lines are about other things, and taking one apart takes a hundred times as long as this. */
const isAboutSpending = (line: string): boolean =>
	line.includes('"kind":"tokens"') || line.includes('"kind":"usage"');
