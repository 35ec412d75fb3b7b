import {Buffer} from 'node:buffer';
import {expect, onTestFinished, test} from 'vitest';
import type {ListedFile} from '../../src/rules/listed-file.ts';
import {frameOf} from '../../src/tui/frame.ts';
import {imagesInSight} from '../../src/tui/keys/lines.ts';
import {cellImage, createImages} from '../../src/tui/terminal/images.ts';
import {mouseOf} from '../../src/tui/terminal/mouse.ts';
import {rowText, themeFor} from '../../src/tui/theme.ts';
import {aDiff, listed, openAt, resourcesOf, shownAs, whenFirst} from './a-screen.ts';

const environments = [
	[{TERM: 'xterm-kitty'}, true],
	[{TERM: 'xterm-ghostty', TERM_PROGRAM: 'ghostty'}, true],
	[{TERM: 'xterm-256color', TERM_PROGRAM: 'ghostty'}, true],
	[{TERM: 'xterm-256color'}, false],
	[{TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm'}, false],
	[{TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TMUX: '/tmp/tmux,1,0'}, false],
	[{TERM: 'xterm-kitty', TMUX: '/tmp/tmux,1,0'}, false],
	[{TERM: 'xterm-kitty', STY: '1.pts'}, false],
	[{TERM: 'xterm-kitty', NO_COLOR: '1'}, false],
	[{TERM: 'xterm-kitty', INK_SCREEN_READER: 'true'}, false],
	[{}, false],
] as const;

/** A terminal that says these words when it is asked, with images that it may be sent. */
const terminalThat = (
	says: string | readonly string[],
	environment: Readonly<Record<string, string>>,
) => {
	const written: string[] = [];
	const sent = [says].flat();
	const input = {read: () => sent.shift() ?? null} as unknown as NodeJS.ReadStream;
	const output = {write: (text: string) => written.push(text)} as unknown as NodeJS.WriteStream;
	const images = createImages({output, environment}, async () => Buffer.alloc(4000, 'x'));
	const query = images.query === undefined ? {} : {query: images.query};
	const mouse = mouseOf({input, output, environment, mouse: false, ...query}, () => {});
	mouse.listen();
	onTestFinished(() => {
		mouse.rest();
		images.rest();
	});
	return {images, written, read: () => input.read() as unknown};
};

test.each(environments)('in %o a terminal is asked for images: %s', (environment, isAsked) => {
	const {written} = terminalThat('', environment);
	expect(written.join('')).toBe(isAsked ? '\x1b_Gi=1,a=q,t=d,f=24,s=1,v=1;AAAA\x1b\\' : '');
});

/** A terminal that has said yes, with what it was told of an image: its columns, or that it is gone. */
const terminalWithImages = async () => {
	const {images, written, read} = terminalThat('a\x1b_Gi=1;OK\x1b\\b', {TERM: 'xterm-kitty'});
	expect(read()).toBe('ab');
	const told = () =>
		[...written.join('').matchAll(/a=(d)|c=(\d+)/g)].map(([, gone, columns]) => gone ?? columns);
	return {images, written, told, show: await images.asked};
};

const logo = (columns: number, commit = 'commit') => ({
	...{commit, path: 'logo.png'},
	image: {id: 7, columns, rows: 2},
});

test('a terminal that says yes gets an image once, in parts, and forgets it; its answer is no key', async () => {
	const {images, written, show} = await terminalWithImages();
	show([logo(3)]);
	show([logo(3)]);
	await expect.poll(() => written.length).toBe(2);
	const parts = (written[1] ?? '').split('\x1b\\').filter(part => part !== '');
	expect(parts.map(part => part.slice(0, part.indexOf(';')))).toEqual([
		'\x1b_Ga=T,U=1,q=2,f=100,i=7,c=3,r=2,m=1',
		'\x1b_Gm=0',
	]);
	const data = parts.map(part => part.slice(part.indexOf(';') + 1)).join('');
	expect(Buffer.from(data, 'base64')).toEqual(Buffer.alloc(4000, 'x'));
	images.rest();
	expect(written.at(-1)).toBe('\x1b_Ga=d,d=I,q=2,i=7\x1b\\');
});

test.each([
	['has another size', [logo(5)], ['3', 'd', '5']],
	['is of another commit', [logo(3, 'next')], ['3', 'd', '3']],
	['is not in sight any more', [], ['3', 'd']],
])('an image that %s does not stay in the terminal as it was', async (_, images, expected) => {
	const {show, told} = await terminalWithImages();
	show([logo(3)]);
	await expect.poll(told).toEqual(['3']);
	show(images);
	expect(told()).toEqual(['3', 'd']);
	await expect.poll(told).toEqual(expected);
});

test('an image that left before it was read is not sent', async () => {
	const {show, told} = await terminalWithImages();
	show([logo(3)]);
	show([]);
	show([logo(5)]);
	await expect.poll(told).toEqual(['d', '5']);
});

test('a terminal that says no gets none', async () => {
	const {images, read} = terminalThat('\x1b_Gi=1;ENOTSUPPORTED:no\x1b\\', {TERM: 'xterm-kitty'});
	expect(read()).toBe('');
	expect(await Promise.race([images.asked, Promise.resolve('none')])).toBe('none');
});

const answer = '\x1b_Gi=1;OK\x1b\\';

test.each(Array.from(answer.slice(1), (_, at) => at + 1))(
	'no byte of an answer that is split after %i of them is a key, but a lone ESC',
	async at => {
		const {images, read} = terminalThat(['a', answer.slice(0, at), `${answer.slice(at)}b`], {
			TERM: 'xterm-kitty',
		});
		expect([read(), read(), read()]).toEqual(['a', at === 1 ? '\x1b' : '', 'b']);
		await images.asked;
	},
);

test.each([
	['begins like an answer', ['\x1b_', 'k', 'j'], ['', '\x1b_k', 'j']],
	['begins an answer that never ends', ['\x1b_Gi=1;', 'k'.repeat(90), 'j'], ['', /k{90}$/, 'j']],
	['looks like a second answer', [answer, '_Gi=1;', answer], ['', '_Gi=1;', answer]],
])('what %s takes no key', (_, says, expected) => {
	const {read} = terminalThat(says, {TERM: 'xterm-kitty'});
	expect(says.map(read)).toEqual(
		expected.map(text => (typeof text === 'string' ? text : expect.stringMatching(text))),
	);
});

const png = `diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000..3333333
Binary files /dev/null and b/logo.png differ
`;

/** A review of a file that is no text, in a terminal that shows images. */
const reviewOf = async (status: string, holds: ListedFile['holds'] & {}) => {
	const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'));
	const file = listed('logo.png', {status, added: null, removed: null, holds});
	const known = resourcesOf(screen.context(), `${png}${aDiff}`);
	const list = shownAs(JSON.stringify(file));
	screen.learn({
		resources: Object.fromEntries(
			Object.entries(known).map(([key, one]) => [key, key.startsWith('files') ? list : one]),
		),
	});
	screen.press('J');
	expect(imagesInSight(screen.context())).toEqual([]);
	const context = {...screen.context(), images: true};
	const rows = frameOf(context).map(row => rowText(row, themeFor('dark', {})));
	return {context, drawn: rows.filter(row => row.includes('\u{10eeee}'))};
};

test('an image takes rows of a review where it is shown, in proportion, and is in sight there', async () => {
	const {context, drawn} = await reviewOf('A', [null, 'PNG 400×100, 3 KiB']);
	const [shown] = imagesInSight(context);
	expect(shown).toMatchObject({path: 'logo.png', image: {columns: 40, rows: 5}});
	expect(drawn).toHaveLength(5);
	expect(drawn[1]).toMatch(/38;2;\d+;\d+;\d+m\u{10eeee}\u030d\u{10eeee}{39}\x1b\[39m/u);
});

test.each([
	['was deleted', 'D', ['PNG 400×100, 3 KiB', null]],
	['is of another format now', 'M', ['PNG 400×100, 3 KiB', 'GIF 400×100, 3 KiB']],
	['has too many bytes', 'A', [null, 'PNG 400×100, 1.0 MiB']],
	['has too many pixels', 'A', [null, 'PNG 4097×4096, 3.0 KiB']],
] as const)('an image that %s takes no rows', async (_, status, holds) => {
	const {context, drawn} = await reviewOf(status, holds);
	expect(imagesInSight(context)).toEqual([]);
	expect(drawn).toEqual([]);
});

test('files whose names have the same checksum never share an image', () => {
	const [one, other] = ['img/6yp.png', 'img/b5p.png'].map(
		path => cellImage(path, 'PNG 10×10, 90 bytes', 80)?.id,
	);
	expect(one).not.toBe(other);
	expect(cellImage('img/6yp.png', 'PNG 90×90, 99 bytes', 80)?.id).toBe(one);
});

test('a terminal that was lent gets its images only once it is back', async () => {
	const {images, show, told} = await terminalWithImages();
	show([logo(3)]);
	await expect.poll(told).toEqual(['3']);
	images.rest();
	show([logo(4)]);
	show([logo(5)]);
	expect(told()).toEqual(['3', 'd']);
	images.listen();
	await expect.poll(told).toEqual(['3', 'd', '5']);
});

test('a text can’t have what stands for an image', () => {
	expect(rowText([{text: 'a\u{10eeee}b', tone: 'plain'}], themeFor('dark', {}))).toBe(
		'a<U+10EEEE>b',
	);
});
