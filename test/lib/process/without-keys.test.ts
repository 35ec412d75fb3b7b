import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {keyFilter, withoutKeys} from '../../../src/lib/process/without-keys.ts';
import {temporaryFolder, write} from '../../helpers/repository.ts';

/** Runs a filter as the kernel does, on a call of a program of some kind. */
const answerTo = (
	filter: Buffer,
	call: {readonly audit: number; readonly number: number},
): number => {
	let held = 0;
	for (let at = 0; at < filter.length; at += 8) {
		const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
		if (code === 0x06) {
			return value;
		}

		if (code === 0x20) {
			held = value === 0 ? call.number : call.audit;
		} else {
			at += 8 * filter.readUInt8(at + (held === value ? 2 : 3));
		}
	}

	throw new Error('It runs past its end.');
};

const allowed = 0x7fff0000;
const refused = 0x00050001;

test.each([
	['x64', 0xc000003e, [248, 249, 250, 0x400000fa], [0, 59, 251, 217]],
	['x64', 0x40000003, [286, 287, 288], [1, 11, 248, 250]],
	['arm64', 0xc00000b7, [217, 218, 219], [63, 64, 250]],
	['arm64', 0x40000028, [309, 310, 311], [1, 217]],
	['x64', 0x12345678, [], [0, 248, 288]],
] as const)(
	'the filter of %s refuses rings of keys to a program of kind %i, and nothing else',
	(processor, audit, keys, others) => {
		const filter = keyFilter(processor) ?? Buffer.alloc(0);
		for (const number of keys) {
			expect([number, answerTo(filter, {audit, number})]).toEqual([number, refused]);
		}

		for (const number of others) {
			expect([number, answerTo(filter, {audit, number})]).toEqual([number, allowed]);
		}
	},
);

test.runIf(existsSync('/bin/bash'))('a command is given the filter on a descriptor', () => {
	const {before, options} = withoutKeys([], {processor: 'x64'});
	const [program = '', ...words] = [...before, 'sh', '-c', `cat <&${options[1]}`];
	expect(execFileSync(program, words)).toEqual(keyFilter('x64'));
});

test('where no numbers are known there is none', () => {
	expect(withoutKeys(['/etc/hosts'], {processor: 'riscv64'})).toMatchObject({
		before: [],
		options: [],
	});
});

/** Opens files as forbidden paths, among inherited descriptors, and prints them from their descriptors. */
const printed = (names: readonly string[], folder: string) => {
	const real = new Map(names.map(name => [name, join(folder, name)]));
	const {before, descriptorOf} = withoutKeys(['/etc/passwd'], {real, processor: 'x64'});
	const opened = ['/etc/passwd', ...names].map(name => `/proc/self/fd/${descriptorOf(name)}`);
	const [program = '', ...words] = [...before, 'readlink', ...opened];
	const inherited = Array.from({length: 36}, (_, at) =>
		at < 3 || [11, 13, 35].includes(at) ? 'pipe' : 'ignore',
	);
	const {stdout, stderr} = spawnSync(program, words, {
		...{encoding: 'utf8', stdio: inherited as ('pipe' | 'ignore')[]},
	});
	return {lines: stdout.trimEnd().split('\n'), stderr};
};

const linux = existsSync('/bin/bash') && existsSync('/proc/self/fd');

test.runIf(linux)(
	'paths are opened where a parent passed on descriptors with their numbers',
	() => {
		const folder = temporaryFolder();
		const names = ['a', 'b c', "d'e"];
		write(folder, Object.fromEntries(names.map(name => [name, ''])));
		expect(printed(names, folder)).toEqual({
			...{lines: ['/etc/passwd', ...names.map(name => join(folder, name))], stderr: ''},
		});
	},
);

test.runIf(linux)('more paths than one argument holds are opened', () => {
	const folder = temporaryFolder();
	const names = Array.from({length: 700}, (_, at) => `${at}-`.padEnd(200, 'long'));
	write(folder, Object.fromEntries(names.map(name => [name, ''])));
	expect(printed(names, folder).lines).toHaveLength(701);
});

test.runIf(linux)('the message names the path that is gone', () => {
	const folder = temporaryFolder();
	write(folder, {a: ''});
	expect(printed(['a', 'gone'], folder).stderr).toContain(
		`A path that is forbidden was moved meanwhile: ${join(folder, 'gone')} leads to nothing`,
	);
});
