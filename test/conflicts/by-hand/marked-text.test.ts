import {mkdtempSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type Files,
	joined,
	markedHunks,
	readMarked,
	withLastLines,
	writeMarked,
} from '../../../src/conflicts/marked-text.ts';
import {conflictText} from '../../../src/git/merge/conflict-text.ts';
import {sealed} from '../../../src/git/process/sealed.ts';
import type {Store} from '../../../src/git/store/store.ts';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {write} from '../../helpers/repository.ts';
import {twoSides} from '../../helpers/two-sides.ts';

const makeStore = async (): Promise<Store> =>
	(await twoSides({base: {a: '1'}, a: {a: '2'}, b: {a: '3'}})).store;

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Merges three texts, a character a byte, and reads the result. */
const merged = async (store: Store, files: Files) => {
	const entry = async (text: string) => ({
		mode: '100644',
		oid: await writeBlob(store, bytes(text)),
	});
	const text = await conflictText(store, {
		base: await entry(files.base),
		ours: await entry(files.left),
		theirs: await entry(files.right),
		labels: {ours: 'AGT-001', base: 'before', theirs: 'AGT-002'},
	});
	if (text.kind !== 'text') {
		throw new Error('It is no text.');
	}

	const marked = text.text.toString('latin1');
	const segments = withLastLines(readMarked(marked, text.markerSize), files);
	return {marked, segments, hunks: markedHunks(segments), conflicts: text.conflicts};
};

/** What git makes of three files where one side wins each conflict. */
const favouring = async (store: Store, side: 'ours' | 'theirs', files: Files): Promise<string> => {
	const folder = mkdtempSync(join(store.gitDir, 'files-'));
	write(folder, {left: bytes(files.left), base: bytes(files.base), right: bytes(files.right)});
	const paths = ['left', 'base', 'right'].map(name => join(folder, name));
	const {stdout} = await sealed(store, ['merge-file', '--stdout', `--${side}`, ...paths]);
	return stdout.toString('latin1');
};

const line = fc.constantFrom('a', 'b', 'c', '<<<<<<<<<<<<<<<', '=======', 'caf\xe9', '\xff\xfe');
const text = (end: string) =>
	fc
		.tuple(fc.array(line, {maxLength: 7}), fc.boolean())
		.map(([lines, ended]) => lines.join(end) + (ended && lines.length > 0 ? end : ''));
const threeFiles = fc
	.constantFrom('\n', '\r\n')
	.chain(end => fc.record({left: text(end), base: text(end), right: text(end)}));

describe('a text with marks', () => {
	test('is the same again when no hunk is settled, and what git makes of a side when all take that', async () => {
		const store = await makeStore();
		await fc.assert(
			fc.asyncProperty(threeFiles, async files => {
				const {marked, segments, hunks, conflicts} = await merged(store, files);
				expect(hunks).toHaveLength(conflicts);
				expect(writeMarked(segments, () => undefined)).toBe(marked);
				const all = (side: 'left' | 'right') => writeMarked(segments, at => hunks[at]?.[side]);
				expect(all('left')).toBe(await favouring(store, 'ours', files));
				expect(all('right')).toBe(await favouring(store, 'theirs', files));
			}),
			{numRuns: 20},
		);
	}, 60_000);

	test('whose sides differ in all that both changed is one side, byte for byte, when all take that', async () => {
		const store = await makeStore();
		const files = {
			base: 'one\r\ntwo\r\nthree\r\nfour',
			left: 'one\r\n2\r\nthree\r\nfour \xfc',
			right: 'one\r\nII\r\nthree\r\nIV',
		};
		const {segments, hunks} = await merged(store, files);
		expect(hunks).toHaveLength(2);
		for (const side of ['left', 'base', 'right'] as const) {
			expect(writeMarked(segments, at => hunks[at]?.[side])).toBe(files[side]);
		}
	});

	test('keeps marks that are no whole conflict as text', () => {
		const half = '<<< a\nx\n|||\n>>> b\n<<< a\nl\n||| o\nb\n===\nr\n>>> b\n=== not a mark\n<<< c\n';
		const segments = readMarked(half, 3);
		expect(markedHunks(segments)).toMatchObject([{left: 'l\n', base: 'b\n', right: 'r\n'}]);
		expect(writeMarked(segments, () => undefined)).toBe(half);
	});
});

test('two texts are joined so that no two lines become one', () => {
	expect(joined('a\n', 'b', '\n')).toBe('a\nb');
	expect(joined('a', 'b\n', '\n')).toBe('a\nb\n');
	expect(joined('a', 'b', '\r\n')).toBe('a\r\nb');
	expect([joined('', 'b', '\n'), joined('a', '', '\n')]).toEqual(['b', 'a']);
});
