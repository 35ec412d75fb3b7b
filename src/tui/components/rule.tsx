import {sanitize} from '../../lib/text/sanitize.ts';
import type {Row} from '../rows/row.ts';
import {span} from '../rows/row.ts';
import {widthOf} from '../rows/text.ts';
import {Rows} from './rows.tsx';

export type RuleProps = {
	readonly columns: number;
	/** What stands in the rule, from its left. */
	readonly left?: Row;
	/** What stands at its right end. */
	readonly right?: Row;
};

/** A line across that parts what is above from what is below, and names it. */
export const Rule = ({columns, left, right}: RuleProps) => (
	<Rows rows={[ruleRow(columns, left, right)]} height={1} width={columns} />
);

/** Returns such a line as one of many rows. */
export const ruleRow = (columns: number, left: Row = [], right: Row = []): Row => {
	const used = [...left, ...right].reduce((width, {text}) => width + widthOf(sanitize(text)), 0);
	const gaps = (left.length > 0 ? 3 : 0) + (right.length > 0 ? 3 : 0);
	return [
		...(left.length > 0 ? [span('─ ', 'dim'), ...left, span(' ', 'dim')] : []),
		span('─'.repeat(Math.max(0, columns - used - gaps)), 'dim'),
		...(right.length > 0 ? [span(' ', 'dim'), ...right, span(' ─', 'dim')] : []),
	];
};
