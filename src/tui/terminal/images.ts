import {crc32} from 'node:zlib';
import {onExit} from 'signal-exit';
import {isLinear, type Terminal} from './full-screen.ts';

/** An image that is drawn in place of characters: a number that names it to the terminal, and its size in cells. */
export type CellImage = {readonly id: number; readonly columns: number; readonly rows: number};

const [mostColumns, mostRows] = [48, 12];

/** Pixels of a cell, as most terminals have them; an image keeps its proportions where a terminal has others. */
const [cellWidth, cellHeight] = [10, 20];

/** Returns the image of a file with so many pixels, as large as there is room for, and no larger than it is. */
export const cellImage = (
	path: string,
	{width, height}: {readonly width: string; readonly height: string},
	room: number,
): CellImage => {
	const [columns, rows] = [Number(width) / cellWidth, Number(height) / cellHeight];
	const scale = Math.min(1, Math.min(mostColumns, room) / columns, mostRows / rows);
	const scaled = (cells: number) => Math.max(1, Math.round(cells * scale));
	return {id: (crc32(path) % 0xff_ff_ff) + 1, columns: scaled(columns), rows: scaled(rows)};
};

/** Kitty's placeholder, and its marks for the numbers of rows; `sanitize` lets no other text have the first. */
const placeholder = '\u{10eeee}';
const rowMarks = '\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c';

/** Returns the characters for a row of an image; those behind the first go on from it. */
export const imageCells = ({columns}: CellImage, row: number): string =>
	`${placeholder}${rowMarks[row]}${placeholder.repeat(columns - 1)}`;

/** Returns these characters in the colour that names the image. */
export const imageText = (cells: string, {id}: CellImage): string =>
	`\x1b[38;2;${id >> 16};${(id >> 8) & 0xff};${id & 0xff}m${cells}\x1b[39m`;

/** Most characters that one sequence may carry. */
const chunk = 4096;

const imageBytes = ({id, columns, rows}: CellImage, png: Buffer): string => {
	const parts = png.toString('base64').match(new RegExp(`.{1,${chunk}}`, 'g')) ?? [];
	return parts
		.map((part, at) => {
			const head = `a=T,U=1,q=2,f=100,i=${id},c=${columns},r=${rows},`;
			const more = at + 1 < parts.length ? 1 : 0;
			return `\x1b_G${at === 0 ? head : ''}m=${more};${part}\x1b\\`;
		})
		.join('');
};

/** Whether a terminal names itself as one that draws images in place of characters (kitty's graphics protocol with Unicode placeholders). In tmux and screen it is another one that draws. */
const saysImages = (environment: Terminal['environment']): boolean => {
	const {TERM = '', TERM_PROGRAM = '', NO_COLOR, TMUX, STY} = environment;
	const isKnown = /^xterm-(?:kitty|ghostty)/.test(TERM) || TERM_PROGRAM === 'ghostty';
	return isKnown && !NO_COLOR && !TMUX && !STY && !isLinear(environment);
};

/**
Returns how a terminal is asked whether it shows images, and is sent some, which it is told to forget however this process ends.

It is asked with one pixel that it is not to keep; one that knows nothing of this says nothing, and gets none.
*/
export const createImages = (
	{output, environment}: Pick<Terminal, 'output' | 'environment'>,
	read?: (commit: string, path: string) => Promise<Buffer | undefined>,
) => {
	const sent = new Map<number, string>();
	const forget = (): void => {
		for (const id of sent.keys()) {
			output.write(`\x1b_Ga=d,d=I,q=2,i=${id}\x1b\\`);
		}

		sent.clear();
	};

	/** Sends an image once; a number may stand for that of another commit later. */
	const send = (image: CellImage, commit: string, path: string): void => {
		if (sent.get(image.id) === commit) {
			return;
		}

		sent.set(image.id, commit);
		// What can't be read is told by its size alone.
		read?.(commit, path).then(
			png => png && sent.get(image.id) === commit && output.write(imageBytes(image, png)),
			() => {},
		);
	};

	onExit(forget);
	const {promise: asked, resolve} = Promise.withResolvers<typeof send>();
	const query = {
		ask: '\x1b_Gi=1,a=q,t=d,f=24,s=1,v=1;AAAA\x1b\\',
		answered: (answer: string): void => {
			if (answer === '\x1b_Gi=1;OK\x1b\\') {
				resolve(send);
			}
		},
	};
	return {asked, forget, query: read && saysImages(environment) ? query : undefined};
};
