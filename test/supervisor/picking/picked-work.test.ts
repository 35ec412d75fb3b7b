import {expect, test} from 'vitest';
import {readBlob} from '../../../src/git/tree/blobs.ts';
import {rawPatch} from '../../../src/git/tree/graft.ts';
import {filesLike, pickedWork} from '../../../src/supervisor/picking/picked-work.ts';
import {requireUnmoved} from '../../../src/supervisor/picking/select-work.ts';
import {makeStore} from '../../git/world.ts';
import {commitAll, type Files, git, write} from '../../helpers/repository.ts';

const lines = (...changed: readonly [number, string][]): string =>
	Array.from({length: 30}, (_, index) => `${new Map(changed).get(index) ?? index}\r\n`).join('');

const before: Files = {'long.txt': lines(), 'kept.txt': 'kept\n', 'old.bin': 'a\0b'};

/** What an agent made of that, as a patch in parts: two hunks, a file that is new, one that is not text. */
const someWork = async () => {
	const {root, store, base} = await makeStore(before);
	write(root, {
		'long.txt': lines([3, 'th\u00e9 one'], [20, 'another']),
		'new.txt': 'new, without an end',
		'old.bin': 'a\0c',
	});
	const input = {owners: ['AGT-001'], base, commit: commitAll(root)};
	const whole = (await rawPatch(store, base, input.commit)).toString('latin1');
	const take = async (patch: string) => {
		const files = await pickedWork(store, input, Buffer.from(patch, 'latin1'));
		const contents = files.map(async ({path, entry}) => [
			path,
			entry && (await readBlob(store, entry.oid)).toString('utf8'),
		]);
		return Object.fromEntries(await Promise.all(contents));
	};
	return {root, take, whole};
};

const withoutSecondHunk = (patch: string): string =>
	patch.replace(/(@@[^@]*@@[^@]*)@@[^@]*@@[^@]*?(?=diff --git)/, '$1');

test('a patch takes hunks and files of a work, byte for byte', async () => {
	const {take, whole} = await someWork();
	const one = withoutSecondHunk(whole);
	expect(one.length).toBeLessThan(whole.length);
	expect(await take(one)).toEqual({
		'long.txt': lines([3, 'th\u00e9 one']),
		'new.txt': 'new, without an end',
		'old.bin': 'a\0c',
	});
	const [first = '', ...others] = whole.split(/^(?=diff --git)/m);
	expect(Object.keys(await take(first))).toEqual(['long.txt']);
	expect(Object.keys(await take(others.join('')))).toEqual(['new.txt', 'old.bin']);
});

test.each([
	['another line', /\+another\r\n/, '+somewhat else\r\n', 'it changes long.txt in another way.'],
	['half of a new file', /\+new, without an end/, '+new', 'new.txt can only be taken whole.'],
	['no patch', /[\s\S]*/, 'hello', 'can’t be applied'],
])('%s is refused, and why is said', async (_, from, to, why) => {
	const {take, whole} = await someWork();
	await expect(take(whole.replace(from, to))).rejects.toThrow(why);
});

test('what leads to a file that the agent did not change is refused', async () => {
	const {take, root} = await someWork();
	git(root, 'checkout', '--quiet', 'HEAD~1');
	write(root, {'kept.txt': 'changed\n'});
	const foreign = git(root, 'diff', 'HEAD');
	await expect(take(`${foreign}\n`)).rejects.toThrow('kept.txt is not one of its files.');
});

/** What two agents made of the same files, and the patches of both. */
const twoWorks = async () => {
	const {root, store, base} = await makeStore(before);
	write(root, {'long.txt': lines([3, 'one'], [20, 'another'])});
	const one = {owners: ['AGT-001'], base, commit: commitAll(root)};
	git(root, 'checkout', '--quiet', '--detach', base);
	write(root, {'kept.txt': 'changed\n'});
	git(root, 'mv', 'old.bin', 'moved.bin');
	const other = {owners: ['AGT-002'], base, commit: commitAll(root)};
	const patches = await Promise.all(
		[one, other].map(async ({commit}) => (await rawPatch(store, base, commit)).toString('latin1')),
	);
	return {store, one, other, patches};
};

test('one patch takes hunks of several works, each file of the one that it is said to be of', async () => {
	const {store, one, other, patches} = await twoWorks();
	const patch = Buffer.from(patches.join(''), 'latin1');
	const others = [{input: other, globs: ['kept.txt', '*.bin']}];
	const files = await pickedWork(store, one, patch, others);
	expect(files.map(({path, of}) => [path, of])).toEqual([
		['kept.txt', 'AGT-002'],
		['long.txt', undefined],
		['moved.bin', 'AGT-002'],
		['old.bin', 'AGT-002'],
	]);
	await expect(pickedWork(store, one, patch)).rejects.toThrow('kept.txt is not one of its files.');
});

test('of a file that was renamed both names are taken, and none is put beside what it is called now', async () => {
	const {store, one, other} = await twoWorks();
	const taken = await filesLike(store, other, ['moved.bin']);
	expect(taken.map(({path, entry}) => [path, entry === null])).toEqual([
		['moved.bin', false],
		['old.bin', true],
	]);
	await expect(requireUnmoved(store, one, taken)).resolves.toBeUndefined();
	await expect(requireUnmoved(store, other, [{path: 'old.bin', entry: null}])).rejects.toThrow(
		'AGT-002 renamed old.bin to moved.bin, and the result would have both.',
	);
});
