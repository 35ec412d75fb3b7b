import {isDeepStrictEqual} from 'node:util';
import {onExit} from 'signal-exit';
import {mostPixels} from '../../lib/image-size.ts';
import {isLinear, type Terminal} from './full-screen.ts';

/** Image that is drawn in place of characters: the number by which the terminal knows it, and its size in cells. */
export type CellImage = {readonly id: number; readonly columns: number; readonly rows: number};

/** Image on the screen, with the commit that holds its file. */
export type ShownImage = {
	readonly image: CellImage;
	readonly commit: string;
	readonly path: string;
};

const [mostColumns, mostRows] = [48, 12];

/** Size of a cell in pixels in most terminals; with other cells an image keeps its proportions. */
const [cellWidth, cellHeight] = [10, 20];

/** Returns the image of a file with this description, such as `PNG 32×32, 1.2 KiB`, scaled down to the available room but never up; nothing for another format, or one that is too large. */
export const cellImage = (path: string, holds: string, room: number): CellImage | undefined => {
	const [, width, height] =
		/^PNG (\d+)×(\d+), [\d.]+ (?:bytes|KiB)$/.exec(holds)?.map(Number) ?? [];
	if (!width || !height || width * height > mostPixels) {
		return undefined;
	}

	const [columns, rows] = [width / cellWidth, height / cellHeight];
	const scale = Math.min(1, Math.min(mostColumns, room) / columns, mostRows / rows);
	const scaled = (cells: number) => Math.max(1, Math.round(cells * scale));
	return {id: numberOf(path), columns: scaled(columns), rows: scaled(rows)};
};

const numbers = new Map<string, number>();

/** Numbers the paths in turn: with a checksum, an agent could choose two names that share an image. */
const numberOf = (path: string): number => {
	const number = numbers.get(path) ?? numbers.size + 1;
	numbers.set(path, number);
	return number;
};

/** Kitty's placeholder, and its diacritics for row numbers; `sanitize` removes the placeholder from all other text. */
const placeholder = '\u{10eeee}';
const rowMarks = '\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c';

/** Returns the characters for a row of an image; only the first has a diacritic, and the others continue from it. */
export const imageCells = ({columns}: CellImage, row: number): string =>
	`${placeholder}${rowMarks[row]}${placeholder.repeat(columns - 1)}`;

/** Returns the characters in the colour that encodes the image's number. */
export const imageText = (cells: string, {id}: CellImage): string =>
	`\x1b[38;2;${id >> 16};${(id >> 8) & 0xff};${id & 0xff}m${cells}\x1b[39m`;

/** Maximum number of characters in one escape sequence. */
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

/** Returns whether the environment names a terminal that supports kitty's graphics protocol with Unicode placeholders. In tmux and screen the variables don't say which terminal draws. */
const saysImages = (environment: Terminal['environment']): boolean => {
	const {TERM = '', TERM_PROGRAM = '', NO_COLOR, TMUX, STY} = environment;
	const isKnown = /^xterm-(?:kitty|ghostty)/.test(TERM) || TERM_PROGRAM === 'ghostty';
	return isKnown && !NO_COLOR && !TMUX && !STY && !isLinear(environment);
};

/**
Returns the query for a terminal's image support, and the functions that send images and delete them; they are also deleted when this process exits.

The query sends one pixel that the terminal doesn't store; a terminal without the protocol doesn't answer, and gets no images.
*/
export const createImages = (
	{output, environment}: Pick<Terminal, 'output' | 'environment'>,
	read?: (commit: string, path: string) => Promise<Buffer | undefined>,
) => {
	const sent = new Map<number, ShownImage>();
	const remove = (id: number): void => {
		sent.delete(id);
		output.write(`\x1b_Ga=d,d=I,q=2,i=${id}\x1b\\`);
	};
	const send = (shown: ShownImage): void => {
		const {image, commit, path} = shown;
		sent.set(image.id, shown);
		// An image that can't be read is described by its size alone.
		read?.(commit, path).then(
			png => png && sent.get(image.id) === shown && output.write(imageBytes(image, png)),
			() => {},
		);
	};

	let inSight: readonly ShownImage[] = [];
	let isLent = false;
	/** Has the terminal hold exactly the images in sight: their number is that of another commit's, and a terminal holds few. */
	const update = (): void => {
		const images = isLent ? [] : inSight;
		const wanted = new Map(images.map(shown => [shown.image.id, shown]));
		for (const [id, shown] of sent) {
			if (!isDeepStrictEqual(wanted.get(id), shown)) {
				remove(id);
			}
		}

		for (const shown of images.filter(({image}) => !sent.has(image.id))) {
			send(shown);
		}
	};

	const show = (images: readonly ShownImage[]): void => {
		inSight = images;
		update();
	};

	const lent = (is: boolean) => (): void => {
		isLent = is;
		update();
	};

	/** Deletes all images: another program's screen may drop them, and the main screen has others by these numbers. */
	const rest = lent(true);
	onExit(rest);
	const {promise: asked, resolve} = Promise.withResolvers<typeof show>();
	const query = {
		ask: '\x1b_Gi=1,a=q,t=d,f=24,s=1,v=1;AAAA\x1b\\',
		// Without ESC if that ended a chunk, and was passed on as a key; an answer has a few words.
		answer: /\x1b?_Gi=1;[^\x1b]{0,80}\x1b\\/,
		unfinished: /(?:\x1b_|\x1b?_G(?:i(?:=(?:1(?:;[^\x1b]{0,80}\x1b?)?)?)?)?)$/,
		answered: (answer: string): void => {
			if (answer.endsWith('_Gi=1;OK\x1b\\')) {
				resolve(show);
			}
		},
	};
	return {
		asked,
		rest,
		listen: lent(false),
		query: read && saysImages(environment) ? query : undefined,
	};
};
