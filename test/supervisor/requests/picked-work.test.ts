import {expect, test} from 'vitest';
import {readBlob} from '../../../src/git/tree/blobs.ts';
import {rawPatch} from '../../../src/git/tree/patch.ts';
import {pickedWork} from '../../../src/supervisor/requests/picked-work.ts';
import {makeWorld} from '../../git/world.ts';
import {commitAll, type Files, git, write} from '../../helpers/repository.ts';

const lines = (...changed: readonly [number, string][]): string =>
	Array.from({length: 30}, (_, index) => `${new Map(changed).get(index) ?? index}\r\n`).join('');

const before: Files = {'long.txt': lines(), 'kept.txt': 'kept\n', 'old.bin': 'a\0b'};

/** What an agent made of that, as a patch in parts: two hunks, a file that is new, one that is not text. */
const someWork = async () => {
	const {root, store, base} = await makeWorld(before);
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
	['no patch', /[\s\S]*/, 'hello', "can't be applied"],
])('%s is refused, and why is said', async (_, from, to, why) => {
	const {take, whole} = await someWork();
	await expect(take(whole.replace(from, to))).rejects.toThrow(why);
});

test('what leads to a file that the agent did not change is refused', async () => {
	const {take, root} = await someWork();
	git(root, 'checkout', '--quiet', 'HEAD~1');
	write(root, {'kept.txt': 'changed\n'});
	const foreign = git(root, 'diff', 'HEAD');
	await expect(take(`${foreign}\n`)).rejects.toThrow('kept.txt is none of its files.');
});
