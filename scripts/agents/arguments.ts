import {parseArgs} from 'node:util';
import type {AgentMake} from '../../src/events/plan.ts';
import {makes} from './setting.ts';

/** What the command was told. */
export type Arguments = {
	readonly wanted: readonly AgentMake[];
	/** Whether what lies on disk after a trial stays there. */
	readonly keep: boolean;
	/** Whether the table is written into the README. */
	readonly readme: boolean;
};

export const usage = `Usage: npm run test:agents -- [${makes.join('|')}]… [--keep] [--readme]
  --keep    leave what lies on disk after a trial, with all that its model was asked
  --readme  write the table into README.md; this takes all agents`;

/** Reads the words of the command line; returns nothing when they are not understood. */
export const readArguments = (words: readonly string[]): Arguments | undefined => {
	const flag = {type: 'boolean', default: false} as const;
	try {
		const {values, positionals} = parseArgs({
			args: [...words],
			allowPositionals: true,
			options: {keep: flag, readme: flag},
		});
		const named = makes.filter(make => positionals.includes(make));
		const isOdd = named.length < positionals.length || (values.readme && named.length > 0);
		return isOdd ? undefined : {...values, wanted: named.length === 0 ? makes : named};
	} catch {
		return undefined;
	}
};
