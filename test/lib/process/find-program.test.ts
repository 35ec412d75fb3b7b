import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {expect, test} from 'vitest';
import {inBackground, programPath, whyNoProgram} from '../../../src/lib/process/find-program.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

/** Two folders of programs, and a folder to stand in. */
const place = () => {
	const [directory, one, two] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
	const add = (path: string, mode: number) => {
		writeFileSync(path, '#!/bin/sh\n');
		chmodSync(path, mode);
	};
	return {directory, one, two, add, environment: {PATH: `${one}:${two}`}};
};

test('a program is looked for on the path that it will have itself', async () => {
	const {one, two, add, ...rest} = place();
	expect(whyNoProgram('tool', rest)).toBe('not found');
	mkdirSync(join(one, 'tool'));
	expect(whyNoProgram('tool', rest)).toBe('not found');
	add(join(two, 'tool'), 0o755);
	expect(whyNoProgram('tool', rest)).toBeUndefined();
	expect(whyNoProgram('tool', {...rest, environment: {}})).toBe('not found');
});

test('one that may not be run is told from one that is not there', async () => {
	const {one, two, add, ...rest} = place();
	add(join(one, 'tool'), 0o644);
	expect(whyNoProgram('tool', rest)).toBe('not allowed');
	add(join(two, 'tool'), 0o755);
	expect(whyNoProgram('tool', rest)).toBeUndefined();
});

test('the path of a program is absolute, and never one in the folder that we stand in', async () => {
	const {directory, one, two, add} = place();
	add(join(directory, 'tool'), 0o755);
	const path = [relative(process.cwd(), directory), one, two].join(':');
	expect(programPath('tool', path)).toBeUndefined();
	add(join(one, 'tool'), 0o644);
	add(join(two, 'tool'), 0o755);
	expect(programPath('tool', path)).toBe(join(two, 'tool'));
	expect(programPath('tool')).toBeUndefined();
});

test('a path is one from the folder that the program works in', async () => {
	const {directory, add, environment} = place();
	add(join(directory, 'tool'), 0o755);
	expect(whyNoProgram('./tool', {directory, environment})).toBeUndefined();
	expect(whyNoProgram('tool', {directory, environment})).toBe('not found');
	expect(whyNoProgram(join(directory, 'tool'), {directory: '/', environment})).toBe(undefined);
});

test('what is started in the background gives way to others, and starts plainly where nothing can do that', () => {
	const [program = '', ...words] = inBackground(['sh', '-c', 'nice']);
	const own = Number(execFileSync('nice', {encoding: 'utf8'}));
	expect(Number(execFileSync(program, words, {encoding: 'utf8'}))).toBe(Math.min(19, own + 10));
	expect(inBackground(['sh', '-c', 'nice'], '/nowhere')).toEqual(['sh', '-c', 'nice']);
});
