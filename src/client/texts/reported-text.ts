import {formatDuration} from '../../lib/text/duration.ts';
import {counted} from '../../lib/text/words.ts';
import type {Signal} from '../../signals/index.ts';
import type {RivalDetail} from '../../state/rivals/rivals-detail.ts';

/** Known usage; `context` is the used share of the model's context window. */
type Spent = {
	readonly tokens?: number | null;
	readonly cost?: Readonly<Record<string, number>> | null;
	readonly context?: number;
};

/** Returns the usage in words, and whether its cost is unknown; empty if none is reported. */
export const spentText = (spent: Spent): string =>
	[
		...spentTexts(spent),
		...(spent.tokens && Object.keys(spent.cost ?? {}).length === 0 ? ['cost not reported'] : []),
	].join(', ');

/** Returns the usage as short texts, as far as it is reported. */
export const spentTexts = ({tokens, cost, context}: Spent): readonly string[] => [
	...(tokens ? [`${countText(tokens)} tokens`] : []),
	...Object.entries(cost ?? {}).map(([currency, amount]) => moneyText(currency, amount)),
	...(context === undefined ? [] : [`context ${Math.round(context * 100)} %`]),
];

/** Returns the load of an agent's processes, as short texts. */
export const loadTexts = (
	load: {readonly cpu: number; readonly memory: number} | undefined,
): readonly string[] =>
	load === undefined ? [] : [`${load.cpu} % cpu`, `${Math.round(load.memory / 2 ** 20)} MB`];

/** Returns a count as `950`, `12.3k` or `1.2M`. */
export const countText = (count: number): string => {
	if (count < 1000) {
		return `${count}`;
	}

	return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
};

/** Returns an amount; less than a cent is not shown as zero. */
const moneyText = (currency: string, amount: number): string => {
	const digits = amount > 0 && amount < 0.01 ? 4 : 2;
	return currency === 'USD'
		? `$${amount.toFixed(digits)}`
		: `${amount.toFixed(digits)} ${currency}`;
};

/**
Returns a table of rivals, its head first: their checks, size of change, problems, time and cost.

The most important columns come first, since a narrow screen shows only these.
*/
export const comparisonTable = (
	rivals: readonly RivalDetail[],
	isBeingRun: (agent: string) => boolean = () => false,
): readonly (readonly string[])[] => [
	['agent', 'check', 'size', 'findings', 'time', 'cost', 'state', 'by'],
	...rivals.map(rival => [
		rival.agent,
		isBeingRun(rival.agent) ? 'being run' : rival.verify,
		`${counted(rival.files, 'file')} +${rival.added} −${rival.removed}`,
		findingsText(rival),
		formatDuration(rival.worked_ms),
		[...spentTexts({cost: rival.cost}), ...spentTexts({tokens: rival.tokens})].join(', ') ||
			'unknown',
		rival.state,
		rival.by,
	]),
];

const findingsText = ({outside, wrong}: RivalDetail): string =>
	[
		...(outside === 0 ? [] : [`${outside} outside`]),
		...(wrong === 0 ? [] : [`${counted(wrong, 'claim')} wrong`]),
	].join(', ') || 'none';

/** Returns an agent's claim about its tests, in words; nothing without one. */
export const testsSaid = (
	tests: Extract<Signal, {kind: 'checkpoint'}>['tests'] | null,
): string | undefined => {
	if (!tests) {
		return undefined;
	}

	const failed = tests.failed.length === 0 ? '' : `, failed: ${tests.failed.join(', ')}`;
	return `${tests.executed ? 'run' : 'not run'}${tests.result === undefined ? '' : `, ${tests.result}`}${failed}`;
};
