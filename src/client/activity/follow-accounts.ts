import {basename, dirname} from 'node:path';
import {followTail} from '../tails.ts';
import {type ReadDetail, readDetail} from './account.ts';
import {type Accounts, maximumLength, withDetails} from './accounts.ts';

/** Accounts of a running session. */
export type LiveAccounts = {readonly all: () => Accounts; readonly close: () => void};

/** Maximum number of bytes of telemetry read at the start. */
const maximumBytes = 4 * 1024 * 1024;

/** Follows the telemetry of a session, which may not exist yet. */
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
		// Unreadable telemetry is not shown; the journal has everything that matters for decisions.
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
