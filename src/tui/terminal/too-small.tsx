import {Alert} from '@inkjs/ui';
import {Rows} from '../components/rows.tsx';
import {paragraph} from '../rows/row.ts';
import {type Size, smallest} from './size.ts';

/** From here on there is room for a box around the words. */
const boxed: Size = {columns: 40, rows: 8};

/** What is said instead of everything else where it would have no room. */
export const TooSmall = ({columns, rows}: Size) => {
	const needed = `at least ${smallest.columns}×${smallest.rows} is needed`;
	return columns < boxed.columns || rows < boxed.rows ? (
		<Rows rows={paragraph(`Too small: ${needed}. q leaves.`, columns, 'warn')} height={rows} />
	) : (
		<Alert variant="warning" title="This window is too small.">
			{`It has ${columns}×${rows}; ${needed}. q leaves.`}
		</Alert>
	);
};
