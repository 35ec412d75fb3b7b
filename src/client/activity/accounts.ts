import {basename, dirname} from 'node:path';
import {defined} from '../../lib/defined.ts';
import {followTail} from '../files/tail.ts';
import type {Activity} from '../model.ts';
import {type Account, emptyAccount, withDetail} from './account.ts';
import {type Detail, readDetail} from './detail.ts';
import {type LineEnd, placePassages} from './place-passages.ts';

/** The accounts of all agents of a session by their ids. */
export type Accounts = Readonly<Record<string, Account>>;

export const withDetails = (accounts: Accounts, details: readonly Detail[]): Accounts => {
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
			const {plan, spent, changed} = account;
			const passages = placePassages(account, ends(agent));
			return [agent, {plan, spent, passages, ...defined({changed})}];
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
	let fresh: Detail[] = [];
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
