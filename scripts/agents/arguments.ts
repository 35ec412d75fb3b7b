import {parseArgs} from 'node:util';
import type {AgentVendor} from '../../src/events/plan.ts';
import {vendors} from './setting.ts';

/** Command line arguments. */
export type Arguments = {
	readonly wanted: readonly AgentVendor[];
	/** True if the files of a trial are kept. */
	readonly keep: boolean;
	/** True if the table is written into docs/agents.md. */
	readonly docs: boolean;
	/** True if misbehaving models are tried instead of whole sessions. */
	readonly faults: boolean;
	/** Words that the titles of the tried faults must contain; empty for all. */
	readonly only: string;
};

export const usage = `Usage: npm run test:agents -- [${vendors.join('|')}]… [--faults] [--only WORDS] [--keep] [--docs]
  --faults  try what a person sees when the model misbehaves, instead of whole sessions
  --only    of these faults, those whose titles hold these words
  --keep    leave what lies on disk after a trial, with all that its model was asked
  --docs    write the table into docs/agents.md; for whole sessions this takes all agents`;

/** Parses the command line; returns nothing if it is invalid. */
export const readArguments = (words: readonly string[]): Arguments | undefined => {
	const flag = {type: 'boolean', default: false} as const;
	try {
		const {values, positionals} = parseArgs({
			args: [...words],
			allowPositionals: true,
			options: {keep: flag, docs: flag, faults: flag, only: {type: 'string', default: ''}},
		});
		const named = vendors.filter(vendor => positionals.includes(vendor));
		const isOdd =
			named.length < positionals.length ||
			(values.docs && !values.faults && (named.length > 0 || values.only !== ''));
		return isOdd ? undefined : {...values, wanted: named.length === 0 ? vendors : named};
	} catch {
		return undefined;
	}
};
