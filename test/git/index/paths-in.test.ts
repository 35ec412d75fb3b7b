import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pathsIn} from '../../../src/git/index-entries.ts';
import {git, makeRepository} from '../../helpers/repository.ts';

const names = [
	'a',
	'ab',
	'abcdefgh',
	'folder/a b.txt',
	'folder/deep/ü.txt',
	`${'x'.repeat(150)}/${'y'.repeat(150)}`,
];
const files = Object.fromEntries(names.map(name => [name, 'x\n']));

test.each(['2', '4'])('the paths of an index of version %s are those that git lists', version => {
	const root = makeRepository(files);
	git(root, 'update-index', '--index-version', version);
	const bytes = readFileSync(join(root, '.git/index'));
	const listed = git(root, '-c', 'core.quotePath=false', 'ls-files').split('\n');
	expect([...pathsIn(bytes, 20)]).toEqual(listed);
	expect(listed).toEqual(expect.arrayContaining(names));
});

test('bytes that are no index, or half of one, end the reading', () => {
	const bytes = readFileSync(join(makeRepository(files), '.git/index'));
	expect([...pathsIn(Buffer.from('not an index at all'), 20)]).toEqual([]);
	expect([...pathsIn(Buffer.alloc(0), 20)]).toEqual([]);
	for (let length = 0; length < bytes.length; length += 7) {
		expect([...pathsIn(bytes.subarray(0, length), 20)].length).toBeLessThanOrEqual(
			names.length + 1,
		);
	}
});

test('an index whose every path is longer than the one before it does not fill the memory', () => {
	const entries = 40_000;
	const entry = Buffer.concat([Buffer.alloc(62), Buffer.from([0, 0x61, 0x61, 0x61, 0x61, 0])]);
	const head = Buffer.alloc(12);
	head.write('DIRC');
	head.writeUInt32BE(4, 4);
	head.writeUInt32BE(entries, 8);
	const index = Buffer.concat([head, ...Array.from({length: entries}, () => entry)]);
	const paths = [...pathsIn(index, 20)];
	const bytes = paths.reduce((sum, path) => sum + path.length, 0);
	expect(paths.length).toBeGreaterThan(1000);
	expect(bytes).toBeLessThanOrEqual(64 * 1024 ** 2);
});
