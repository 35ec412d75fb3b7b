import {execFileSync, spawnSync} from 'node:child_process';
import {closeSync, constants, openSync} from 'node:fs';
import {join} from 'node:path';
import {Writable} from 'node:stream';
import {finished} from 'node:stream/promises';
import {expect, test} from 'vitest';
import {drained} from '../../src/cli/output.ts';
import {program} from '../helpers/project.ts';
import {temporaryFolder} from '../helpers/repository.ts';

test('a slow reader holds up what is printed for it', async () => {
	const lines = Array.from({length: 100}, (_, index) => `line ${index}\n`);
	const read: string[] = [];
	const reader = new Writable({
		highWaterMark: 32,
		write: (chunk, _, done) => {
			read.push(String(chunk));
			setImmediate(done);
		},
	});
	let most = 0;
	for (const line of lines) {
		reader.write(line);
		most = Math.max(most, reader.writableLength);
		await drained(reader);
	}

	expect(most).toBeLessThan(64);
	reader.end();
	await finished(reader);
	expect(read.join('')).toBe(lines.join(''));
});

test('a reader that is gone ends a command, and is no error of ours', () => {
	const pipe = join(temporaryFolder(), 'pipe');
	execFileSync('mkfifo', [pipe]);
	const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
	const stdout = openSync(pipe, 'w');
	closeSync(reader);
	const ended = spawnSync(process.execPath, [program, 'help', 'keys'], {
		stdio: ['ignore', stdout, 'pipe'],
		encoding: 'utf8',
	});
	closeSync(stdout);
	expect(ended).toMatchObject({status: 0, stderr: ''});
});

test('text of others is only text where it is printed beside the output', () => {
	const printing = `(await import(${JSON.stringify(new URL('../../src/cli/output.ts', import.meta.url).href)})).printAside('a warning \\u001b]52;c;eA==\\u0007')`;
	const {stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', printing], {
		encoding: 'utf8',
	});
	expect(stderr).toBe('a warning ␛]52;c;eA==␇\n');
});
