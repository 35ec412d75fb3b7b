import {parseArgs} from 'node:util';
import type {AgentVendor} from '../../src/events/plan.ts';
import {vendors} from './setting.ts';

/** What the command was told. */
export type Arguments = {
	readonly wanted: readonly AgentVendor[];
	/** Whether what lies on disk after a trial stays there. */
	readonly keep: boolean;
	/** Whether the table is written into docs/agents.md. */
	readonly docs: boolean;
	/** Whether models that misbehave are tried instead of whole sessions. */
	readonly faults: boolean;
	/** Words that the titles of faults that are tried hold; all do where there are none. */
	readonly only: string;
};

export const usage = `Usage: npm run test:agents -- [${vendors.join('|')}]… [--faults] [--only WORDS] [--keep] [--docs]
  --faults  try what a person sees when the model misbehaves, instead of whole sessions
  --only    of these faults, those whose titles hold these words
  --keep    leave what lies on disk after a trial, with all that its model was asked
  --docs    write the table into docs/agents.md; this takes all agents`;

/** Reads the words of the command line; returns nothing when they are not understood. */
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
			(values.docs && (named.length > 0 || values.only !== ''));
		return isOdd ? undefined : {...values, wanted: named.length === 0 ? vendors : named};
	} catch {
		return undefined;
	}
};
