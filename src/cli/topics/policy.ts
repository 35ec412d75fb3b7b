import {printTable} from '../../lib/text/markdown-table.ts';
import {policy} from '../../rules/effects/policy.ts';

/** Returns what is asked, what goes on by itself and what is stopped, at each level of supervision. */
export const policyTable = (): string =>
	printTable([
		['what happens', 'supervised', 'semi-autonomous'],
		...Object.values(policy).map(row => [row.what, row.supervised, row['semi-autonomous']]),
	]).trimEnd();

export const policyText = (): string =>
	`How an agent is supervised: \`supervision\` in a plan, for all agents or for one. What is the same at
both levels can’t be set otherwise.

${policyTable()}`;
