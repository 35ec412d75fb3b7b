import {spawnSync} from 'node:child_process';
import {chmodSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../helpers/repository.ts';

/** A number that no list of users knows, as containers give. */
const unknown = 54_321;

/** Only root can take on another user's number. */
const isRoot = process.geteuid?.() === 0;

const runUnknown = (args: readonly string[], home: Readonly<Record<string, string>>) =>
	spawnSync(process.execPath, args, {
		encoding: 'utf8',
		uid: unknown,
		gid: unknown,
		env: {PATH: process.env.PATH, ...home},
	});

test.skipIf(!isRoot)('a user whom no list knows has a socket all the same', () => {
	const folder = temporaryFolder();
	chmodSync(folder, 0o777);
	const path = join(import.meta.dirname, '../../src/control/path.ts');
	const script = `import(${JSON.stringify(path)}).then(({socketPath}) => console.log(socketPath('x')))`;
	const {stdout, stderr} = runUnknown(['-e', script], {HOME: folder, TMPDIR: folder});
	expect(stderr).not.toContain('Error');
	expect(stdout).toMatch(new RegExp(`^${folder}/delegate-tui-${unknown}/\\w+\\.sock$`, 'm'));
});

test.skipIf(!isRoot)('a user without any home folder is told what is missing', () => {
	const program = join(import.meta.dirname, '../../bin/delegate-tui.cjs');
	const {status, stderr} = runUnknown([program, 'status'], {});
	expect(stderr).toContain('Hint: set HOME');
	expect(status).toBe(3);
});
