import type {Terminal} from '@xterm/headless';
import stringWidth from 'string-width';
import {type Look, lookOf, palette} from './palette.ts';

/** Size of a cell, and the margin around all of them, in pixels. */
const cell = {width: 8.4, height: 18, baseline: 13.5};
const margin = 14;

const fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** A drawn screen of a terminal, and its size. */
export type Frame = {readonly cols: number; readonly rows: number; readonly drawn: string};

/** Draws the screen of a terminal. */
export const frameOf = (terminal: Terminal): Frame => {
	const {cols, rows} = terminal;
	const runs = Array.from({length: rows}, (_, row) => runsOf(terminal, row)).flat();
	return {cols, rows, drawn: runs.map(drawn).join('\n')};
};

/** Returns a picture of a terminal's screen. */
export const svgOf = (terminal: Terminal, title: string): string => {
	const frame = frameOf(terminal);
	return framed(frame, title, [frame.drawn]);
};

/** Time of each frame of an animation, in seconds. */
const frameSeconds = 4;

/** Returns a picture that shows frames of one size in a loop; only the first one if motion is not wanted. */
export const movingSvgOf = (frames: readonly [Frame, ...Frame[]], title: string): string => {
	const seconds = frames.length * frameSeconds;
	const share = pixels(100 / frames.length);
	return framed(frames[0], title, [
		'<style>',
		'.frame { visibility: hidden; } .frame:first-of-type { visibility: visible; }',
		`@keyframes show { 0% { visibility: visible; } ${share}%, 100% { visibility: hidden; } }`,
		`@media (prefers-reduced-motion: no-preference) { .frame { animation: show ${seconds}s step-end infinite; } }`,
		'</style>',
		...frames.map(
			({drawn}, index) =>
				`<g class="frame" style="animation-delay: ${index * frameSeconds}s">\n${drawn}\n</g>`,
		),
	]);
};

const framed = ({cols, rows}: Frame, title: string, content: readonly string[]): string => {
	const width = cols * cell.width + 2 * margin;
	const height = rows * cell.height + 2 * margin;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
		`<title>${escaped(title)}</title>`,
		`<rect width="${width}" height="${height}" rx="8" fill="${palette.background}"/>`,
		`<g transform="translate(${margin} ${margin})" font-family="${fonts}" font-size="14">`,
		...content,
		'</g>',
		'</svg>',
		'',
	].join('\n');
};

/** Neighbouring cells with the same look. */
type Run = {
	readonly row: number;
	readonly column: number;
	readonly columns: number;
	readonly text: string;
	readonly look: Look;
};

const runsOf = (terminal: Terminal, row: number): readonly Run[] => {
	const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
	const runs: Run[] = [];
	for (let column = 0; column < terminal.cols; column++) {
		const shown = line?.getCell(column);
		if (shown === undefined || shown.getWidth() === 0) {
			continue;
		}

		const run: Run = {
			row,
			column,
			columns: shown.getWidth(),
			text: shown.getChars() || ' ',
			look: lookOf(shown),
		};
		const last = runs.at(-1);
		if (last !== undefined && goOn(last, run)) {
			const columns = last.columns + run.columns;
			runs[runs.length - 1] = {...last, columns, text: last.text + run.text};
		} else {
			runs.push(run);
		}
	}

	return runs.filter(({text, look}) => text.trim() !== '' || look.resource !== undefined);
};

/** Returns whether two runs can be joined: strokes are drawn as shapes, so they are separate from text. */
const goOn = (one: Run, other: Run): boolean =>
	strokeOf(one.text) === strokeOf(other.text) &&
	JSON.stringify(one.look) === JSON.stringify(other.look);

/** Characters of lines, which would have gaps in most fonts: their width and height in a cell. */
const strokes: Readonly<Record<string, (width: number) => Stroke>> = {
	'─': width => ({width, height: 1}),
	'━': width => ({width, height: 3}),
	'│': () => ({width: 1, height: cell.height}),
};

type Stroke = {readonly width: number; readonly height: number};

const strokeOf = (text: string) => strokes[text.charAt(0)];

const drawn = ({row, column, columns, text, look}: Run): string => {
	const left = column * cell.width;
	const top = row * cell.height;
	const width = columns * cell.width;
	const resource =
		look.resource === undefined ? '' : box(left, top, width, cell.height, look.resource);
	const stroke = strokeOf(text)?.(width);
	if (stroke !== undefined) {
		const x = left + (width - stroke.width) / 2;
		const y = top + (cell.height - stroke.height) / 2;
		return resource + box(x, y, stroke.width, stroke.height, look.ink);
	}

	const style = [
		look.bold ? ' font-weight="bold"' : '',
		look.underline ? ' text-decoration="underline"' : '',
	].join('');
	// Each word has its own place and length: that keeps the columns straight with any font, and
	// renderers that stretch spaces as well have none to stretch.
	const words = [...text.matchAll(/\S+/g)].map(({0: word, index}) => {
		const x = pixels(left + stringWidth(text.slice(0, index)) * cell.width);
		const length = pixels(stringWidth(word) * cell.width);
		return `<text x="${x}" y="${top + cell.baseline}" textLength="${length}" fill="${look.ink}"${style}>${escaped(word)}</text>`;
	});
	return [resource, ...words].join('');
};

const box = (x: number, y: number, width: number, height: number, fill: string): string =>
	`<rect x="${pixels(x)}" y="${pixels(y)}" width="${pixels(width)}" height="${pixels(height)}" fill="${fill}"/>`;

const pixels = (value: number): number => Math.round(value * 100) / 100;

export const escaped = (text: string): string =>
	text.replaceAll(/[&<>]/g, sign => `&#${sign.codePointAt(0)};`);
