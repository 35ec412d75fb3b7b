import {Rows} from '../components/rows.tsx';
import {paragraph} from '../rows/row.ts';
import {type Size, smallest} from './size.ts';

/** What is said instead of everything else where it would have no room. */
export const TooSmall = ({columns, rows}: Size) => {
	const needed = `at least ${smallest.columns}×${smallest.rows} is needed`;
	const text = `This window is too small. It has ${columns}×${rows}; ${needed}. q leaves.`;
	return <Rows rows={paragraph(text, columns, 'warn')} height={rows} />;
};
