import {Box, Text} from 'ink';
import {memo} from 'react';
import {sanitize} from '../../lib/text/sanitize.ts';
import {defined} from '../../lib/values.ts';
import {type Row, span} from '../rows/row.ts';
import {widthOf} from '../rows/text.ts';
import {useTheme} from '../theme.ts';

type RowsProps = {
	readonly rows: readonly Row[];
	readonly height: number;
	/** Rows above the first one that is shown. */
	readonly offset?: number;
	readonly width?: number;
};

/** A window on rows: only what is visible is laid out, however long the list is. */
export const Rows = ({rows, height, offset = 0, width}: RowsProps) => (
	<Box
		flexDirection="column"
		flexShrink={0}
		height={Math.max(0, height)}
		overflow="hidden"
		{...defined({width})}
	>
		{rows.slice(offset, offset + Math.max(0, height)).map((row, index) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: a row of the window is known by its place in it
			<Line key={index} row={row} />
		))}
	</Box>
);

type LineProps = {readonly row: Row};

/**
One row of the screen, cut at the right edge.

Text of an agent, a path or a branch reaches the terminal by no other way than this, which makes it harmless.
*/
export const Line = memo(({row}: LineProps) => {
	const theme = useTheme();
	return (
		<Text wrap="truncate">
			{row.length === 0
				? ' '
				: row.map(({text, tone}, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
						<Text key={index} {...theme[tone]}>
							{sanitize(text)}
						</Text>
					))}
		</Text>
	);
});

type RuleProps = {
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
