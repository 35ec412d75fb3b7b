/** A part of a changed text that can be taken without the others. */
export type ShownPart = {
	/** Where it stands in the new text, counted from 1. */
	readonly line: number;
	/** The function or heading that it stands in. */
	readonly section: string;
	/** As in a unified diff: a sign and the text of the line. */
	readonly lines: readonly string[];
};

/** A changed file of a work, as a person picks from it. */
export type ShownChange = {
	readonly path: string;
	/** Why it can only be taken as a whole; absent where each of its hunks can be taken alone. */
	readonly whole?: string;
	readonly hunks: readonly ShownPart[];
};

/** An agent's work, as a person picks from it. */
export type ShownWork = {
	/** The commit that holds it. */
	readonly work: string;
	readonly files: readonly ShownChange[];
};

/** What a line of the printed form tells; the rest of the line follows a blank. */
type Word = 'work' | 'file' | 'whole' | 'hunk' | 'section' | 'line';

/** Prints a work line by line, so that it can be sent in pages, each line with a word that says what it is. */
export const printWork = ({work, files}: ShownWork): string => {
	const line = (word: Word, text: string): string => `${word} ${text.replaceAll('\n', ' ')}`;
	return [
		line('work', work),
		...files.flatMap(({path, whole, hunks}) => [
			line('file', path),
			...(whole === undefined ? [] : [line('whole', whole)]),
			...hunks.flatMap(hunk => [
				line('hunk', `${hunk.line}`),
				line('section', hunk.section),
				...hunk.lines.map(text => line('line', text)),
			]),
		]),
	].join('\n');
};

/** Reads what `printWork` printed, or the beginning of it; words that it doesn't know are passed over. */
export const readWork = (lines: readonly string[]): ShownWork => {
	const files: Growing[] = [];
	let work = '';
	for (const line of lines) {
		const blank = line.indexOf(' ');
		const [word, text] = [line.slice(0, blank), line.slice(blank + 1)];
		const file = files.at(-1);
		const hunk = file?.hunks.at(-1);
		switch (word) {
			case 'work':
				work = text;
				break;
			case 'file':
				files.push({path: text, hunks: []});
				break;
			case 'whole':
				files.splice(-1, 1, {path: '', hunks: [], ...file, whole: text});
				break;
			case 'hunk':
				file?.hunks.push({line: Number(text), section: '', lines: []});
				break;
			case 'section':
				file?.hunks.splice(-1, 1, {line: 0, lines: [], ...hunk, section: text});
				break;
			case 'line':
				hunk?.lines.push(text);
		}
	}

	return {work, files};
};

type Growing = Omit<ShownChange, 'hunks'> & {readonly hunks: GrowingPart[]};
type GrowingPart = Omit<ShownPart, 'lines'> & {readonly lines: string[]};
