import {readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {Step, Take} from '../../../src/rules/by-hand/steps.ts';
import {whyWhole} from '../../../src/supervisor/by-hand/hand-file.ts';
import {makeConflict} from './a-conflict.ts';

const twoHunks = {
	base: 'one\ntwo\nthree\nfour\nfive\n',
	left: 'one\nleft 2\nthree\nleft 4\nfive\n',
	right: 'one\nright 2\nthree\nright 4\nfive\n',
};

const pick = (hunk: number, take: Take): Step => ({do: 'pick', hunk, pick: {take}});
const undo: Step = {do: 'undo'};
const content = (file: string) => readFileSync(file, 'latin1');

describe('hunks that a person settles', () => {
	test('stand in the file at once, and it can be taken when all of them do', async () => {
		const {look, tell, file, taken} = await makeConflict(twoHunks);
		const {hunks} = await look();
		expect(hunks).toMatchObject([
			{line: 2, before: ['one'], left: ['left 2'], base: ['two'], right: ['right 2']},
			{line: 4, left: ['left 4'], right: ['right 4'], after: ['five']},
		]);
		await tell({after: 0, steps: [pick(0, 'left')]});
		expect(content(file)).toMatch(/^one\nleft 2\nthree\n<{15} AGT-001\nleft 4\n/);
		expect(await taken()).toMatchObject({marked: ['src/shared.txt']});
		await tell({after: 1, steps: [pick(1, 'right-left')]});
		expect(content(file)).toBe('one\nleft 2\nthree\nright 4\nleft 4\nfive\n');
		expect(await taken()).toMatchObject({marked: []});
		expect((await look()).steps).toHaveLength(2);
	});

	test('are taken back one by one, to the very bytes; what nobody saw is refused', async () => {
		const {tell, file, look} = await makeConflict(twoHunks);
		const before = content(file);
		await expect(tell({after: 0, steps: [pick(2, 'left')]})).rejects.toMatchObject({
			kind: 'refused',
		});
		await expect(tell({after: 1, steps: [undo]})).rejects.toThrow('has changed in its folder');
		expect(content(file)).toBe(before);
		await tell({after: 0, steps: [pick(0, 'left'), pick(0, 'base'), pick(1, 'left-right')]});
		expect(content(file)).toContain('one\ntwo\nthree\nleft 4\nright 4\n');
		await tell({after: 3, steps: [undo, undo]});
		expect(content(file)).toContain('one\nleft 2\nthree\n<');
		await tell({after: 5, steps: [undo, undo]});
		expect(content(file)).toBe(before);
		expect((await look()).steps).toHaveLength(7);
	});

	test('keep every byte: other encodings, CR LF and a last line without an end', async () => {
		const {tell, file, look} = await makeConflict({
			base: 'a\r\n\xe9\r\nb\r\nend',
			left: 'a\r\n\xff\xfe\r\nb\r\nleft end',
			right: 'a\r\n\x80\r\nb\r\nright end',
		});
		const {hunks, remarks} = await look();
		expect(hunks).toMatchObject([
			{left: ['��'], right: ['�']},
			{left: ['left end'], open: ['left', 'base', 'right']},
		]);
		expect(remarks.join(' ')).toMatch(/not all of it is UTF-8/i);
		await tell({after: 0, steps: [pick(0, 'right-left'), pick(1, 'left-right')]});
		expect(content(file)).toBe('a\r\n\x80\r\n\xff\xfe\r\nb\r\nleft end\r\nright end');
		await tell({after: 2, steps: [pick(0, 'left'), pick(1, 'left')]});
		expect(content(file)).toBe('a\r\n\xff\xfe\r\nb\r\nleft end');
	});

	test('are told with the beginning of a line that is too long to be shown', async () => {
		const long = `"${'x'.repeat(2010)}"\n`;
		const {look} = await makeConflict({base: 'b\n', left: long, right: 'r\n'});
		const left = [expect.stringMatching(/^"x{1999} … and 12 more characters, not shown here$/)];
		expect((await look()).hunks).toMatchObject([{left}]);
	});

	test('are found in a file that quotes a conflict', async () => {
		const quoted = `${'<'.repeat(15)} AGT-001\nx\n${'='.repeat(15)}\ny\n${'>'.repeat(15)} AGT-002\n`;
		const {tell, file, look, taken} = await makeConflict({
			base: `${quoted}base\n`,
			left: `${quoted}left\n`,
			right: `${quoted}right\n`,
		});
		expect((await look()).hunks).toHaveLength(1);
		await tell({after: 0, steps: [pick(0, 'right')]});
		expect(content(file)).toBe(`${quoted}right\n`);
		expect(await taken()).toMatchObject({marked: []});
	});
});

describe('a file that is changed by other means', () => {
	test('counts as one more step, and its marks are hunks again; it may be removed, too', async () => {
		const {tell, file, look} = await makeConflict(twoHunks);
		await tell({after: 0, steps: [pick(0, 'left')]});
		const before = content(file);
		writeFileSync(file, before.replace('one\n', 'ONE\n'));
		await expect(tell({after: 1, steps: [undo]})).rejects.toThrow('has changed in its folder');
		const {hunks, steps, remarks} = await look();
		expect(hunks).toMatchObject([{left: ['left 4']}]);
		expect(steps.at(-1)).toMatchObject({do: 'rewrite'});
		expect(remarks).toMatchObject([expect.stringContaining('edited as a whole')]);
		await tell({after: 2, steps: [pick(0, 'right')]});
		expect(content(file)).toBe('ONE\nleft 2\nthree\nright 4\nfive\n');
		await tell({after: 3, steps: [undo, undo]});
		expect(content(file)).toBe(before);

		rmSync(file);
		expect(await look()).toMatchObject({hunks: []});
		await tell({after: 6, steps: [undo]});
		expect(content(file)).toBe(before);
	});

	test('is not followed to where a link leads', async () => {
		const {tell, file, folder} = await makeConflict(twoHunks);
		writeFileSync(`${folder}/elsewhere`, 'mine\n');
		rmSync(file);
		symlinkSync(`${folder}/elsewhere`, file);
		await expect(tell({after: 0, steps: [undo]})).rejects.toThrow('is a symbolic link');
		expect(content(`${folder}/elsewhere`)).toBe('mine\n');
	});
});

test('a conflict without hunks says so, and nothing is done to its file', async () => {
	const {look, tell, file} = await makeConflict({base: 'b\0', left: 'l\0', right: 'r\0'});
	const before = content(file);
	expect(await look()).toMatchObject({whole: true, hunks: [], remarks: ['It is not text.']});
	await expect(tell({after: 0, steps: [pick(0, 'left')]})).rejects.toThrow('It is not text.');
	expect(content(file)).toBe(before);
});

const entry = (oid: string, mode = '100644') => ({mode, oid});
const [base, a, b, link] = [entry('1'), entry('2'), entry('3'), entry('4', '120000')];

test.each([
	['one side deleted it', {base, a: null, b}, /^AGT-001 deleted it, and AGT-002 changed it/],
	['it was renamed', {base: null, a, b: null}, /renamed/],
	['one side made it a link', {base, a, b: link}, /symbolic link/],
	['only its mode differs', {base, a, b: {...a, mode: '100755'}}, /the same content/],
	['its text differs', {base, a, b}, undefined],
] as const)('why a conflict has no hunks: %s', (_, stages, why) => {
	const whole = whyWhole({a: ['AGT-001'], b: ['AGT-002'], stages});
	expect(whole).toEqual(why === undefined ? undefined : expect.stringMatching(why));
});
