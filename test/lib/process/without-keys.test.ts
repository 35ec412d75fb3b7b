import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {keyFilter, withoutKeys} from '../../../src/lib/process/without-keys.ts';

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
