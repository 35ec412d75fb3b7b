import {Box} from 'ink';
import {defined} from '../../lib/defined.ts';
import type {Row} from '../rows/row.ts';
import {Line} from './line.tsx';

export type RowsProps = {
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
