import {Terminal} from '@xterm/headless';
import {expect, test} from 'vitest';
import {frameOf, movingSvgOf, svgOf} from '../../scripts/pictures/svg.ts';

const columns = (pixels = '') => Math.round(Number(pixels) / 8.4);

test('a picture of a terminal gives each word its own place, so that no renderer spreads blanks', async () => {
	const terminal = new Terminal({cols: 40, rows: 2, allowProposedApi: true});
	await new Promise<void>(resolve =>
		terminal.write('\u001b[1mMerge  the result\u001b[0m 你好 ok', resolve),
	);
	const words = [
		...svgOf(terminal, 'A title').matchAll(
			/<text x="([\d.]+)"[^>]*textLength="([\d.]+)"[^>]*>([^<]*)</g,
		),
	];
	expect(words.map(([, x, length, word]) => [word, columns(x), columns(length)].join(' '))).toEqual(
		['Merge 0 5', 'the 7 3', 'result 11 6', '你好 18 4', 'ok 23 2'],
	);
});

test('a moving picture shows each frame in its turn, and the first alone where no motion is wanted', () => {
	const terminal = new Terminal({cols: 9, rows: 1, allowProposedApi: true});
	const frame = frameOf(terminal);
	const picture = movingSvgOf([frame, frame, frame], 'A title');
	expect([...picture.matchAll(/animation-delay: (\d+)s/g)].map(([, at]) => at)).toEqual([
		...['0', '4', '8'],
	]);
	expect(picture).toContain('animation: show 12s step-end infinite');
	expect(picture).toContain(
		'.frame { visibility: hidden; } .frame:first-of-type { visibility: visible; }',
	);
});
