import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openSeenFile} from '../../src/cli/seen-file.ts';
import type {SeenWork} from '../../src/tui/model/view.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const fileToBe = (): string => join(temporaryFolder(), 'seen.json');

/** Returns what is seen again of what was seen. */
const seenAgain = async (path: string, ...all: readonly SeenWork[]): Promise<SeenWork> => {
	const {keep, written} = await openSeenFile(path);
	for (const seen of all) {
		keep(seen);
	}

	await written();
	return (await openSeenFile(path)).seen;
};

const seenOf = (...files: readonly (readonly [string, readonly string[]])[]): SeenWork => ({
	lookedAt: {'AGT-001': {now: 3, before: 1}},
	read: new Map(files.map(([path, lines]) => [path, new Set(lines)])),
});

describe('what a person has seen', () => {
	test('is known the next time, for files of any name, and to nobody else', async () => {
		const path = fileToBe();
		const seen = seenOf(['src/a.js', ['1 \n\tlet a', '2 \n']], ['__proto__', ['1 a\nb']]);
		const {read, lookedAt} = await seenAgain(path, seenOf(['old', ['1']]), seen);
		expect(read).toEqual(seen.read);
		expect(lookedAt).toEqual({'AGT-001': {now: 3}});
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	test('is kept of the newest files that fit where it is a lot', async () => {
		const path = fileToBe();
		const most = 'x'.repeat(3 * 1024 * 1024);
		const {read} = await seenAgain(path, seenOf(['a', ['1']], ['b', [most]], ['c', [most]]));
		expect([...read.keys()]).toEqual(['a', 'c']);
		expect(readFileSync(path).length).toBeLessThan(4 * 1024 * 1024);
	});

	test('is kept of all other files where one is too large to be kept', async () => {
		const large = 'x'.repeat(5 * 1024 * 1024);
		const seen = seenOf(['a', ['1']], ['b', ['2']], ['package-lock.json', [large]]);
		const {read} = await seenAgain(fileToBe(), seen);
		expect([...read.keys()]).toEqual(['a', 'b']);
	});

	test('on two screens at once is known of both, but what one alone takes back is not', async () => {
		const path = fileToBe();
		const [one, other] = [await openSeenFile(path), await openSeenFile(path)];
		one.keep(seenOf(['a', ['1', '2']], ['b', ['1']]));
		one.keep(seenOf(['a', ['1']], ['b', ['1']]));
		await one.written();
		const lookedAt = {'AGT-001': {now: 2}, 'AGT-002': {now: 1}};
		other.keep({lookedAt, read: new Map([['a', new Set(['3'])]])});
		other.keep({lookedAt, read: new Map([['a', new Set(['3', '4'])]])});
		await other.written();
		const {seen} = await openSeenFile(path);
		expect(seen.read).toEqual(seenOf(['b', ['1']], ['a', ['1', '3', '4']]).read);
		expect(seen.lookedAt).toEqual({'AGT-001': {now: 3}, 'AGT-002': {now: 1}});
	});

	test.each(['', '[', '{"looks": 1}', '{"looks": [], "read": [["a", [1]]]}'])(
		'is nothing where its file holds %j, or can’t be written',
		async text => {
			const path = fileToBe();
			writeFileSync(path, text);
			expect((await openSeenFile(path)).seen).toEqual({lookedAt: {}, read: new Map()});
			const nowhere = join(path, 'seen.json');
			expect((await seenAgain(nowhere, seenOf(['a', ['1']]))).read).toEqual(new Map());
		},
	);
});
