import {graphemes} from '../../lib/graphemes.ts';
import {type Row, span} from './row.ts';

/** Returns a line that a person writes, with the cursor drawn before that character, if it is in this line. */
export const writtenRow = (line: string, cursor: number | undefined): Row => {
	if (cursor === undefined) {
		return [span(line)];
	}

	const [first] = graphemes(line.slice(cursor));
	const under = first?.segment ?? ' ';
	return [
		span(line.slice(0, cursor)),
		span(under, 'selected'),
		span(line.slice(cursor + under.length)),
	];
};
