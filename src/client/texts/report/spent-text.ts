import {counted} from '../../../lib/text/counted.ts';
import type {Spent} from '../../../rules/report/agent-report.ts';

/** Returns what was used up in words, or nothing where nobody told. */
export const spentText = ({tokens, cost = {}}: Partial<Spent>): string =>
	[
		...(tokens === undefined ? [] : [counted(tokens, 'token')]),
		...Object.entries(cost).map(([currency, amount]) => `${amount.toFixed(2)} ${currency}`),
	].join(', ');
