import {type Hunk, linesOf, type Segment} from './marked-text.ts';

/** What the sides of a conflict hold as whole files, and their base. */
export type Files = Readonly<Record<'left' | 'base' | 'right', string>>;

/**
Returns a marked text with the last line of each side as it is in its file.

Git ends each line between marks, also the one that is the last of its file and has no end there. Only a conflict at the end of the text can hold such a line.
*/
export const withLastLines = (segments: readonly Segment[], files: Files): readonly Segment[] => {
	const last = segments.at(-1);
	if (last?.kind !== 'hunk') {
		return segments;
	}

	const {left, base, right, marked} = last.hunk;
	const hunk: Hunk = {
		left: asInFile(left, files.left),
		base: asInFile(base, files.base),
		right: asInFile(right, files.right),
		marked,
	};
	return [...segments.slice(0, -1), {kind: 'hunk', hunk}];
};

const asInFile = (text: string, file: string): string =>
	file === '' || text === '' || file.endsWith('\n')
		? text
		: (['\r\n', '\n']
				.filter(end => text.endsWith(end))
				.map(end => text.slice(0, -end.length))
				.find(bare => file.endsWith(linesOf(bare).at(-1) ?? '')) ?? text);

/** Returns how lines end where a conflict is: as its marks do, which git writes like the lines around them. */
export const lineEndOf = ({marked}: Hunk): string =>
	(linesOf(marked)[0] ?? '').endsWith('\r\n') ? '\r\n' : '\n';

/** Returns one text behind the other, so that no two lines become one. */
export const joined = (first: string, second: string, lineEnd: string): string =>
	first === '' || second === '' || first.endsWith('\n') ? first + second : first + lineEnd + second;
