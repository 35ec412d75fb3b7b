import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {isAllowed} from '../../../src/supervisor/requests/allowed-command.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const scope = {allowed: ['src/**'], forbidden: ['secret/**']};
const allowances = [{pattern: 'node --test *'}];

const makeTree = (): string => {
	const tree = temporaryFolder();
	mkdirSync(join(tree, 'src'));
	symlinkSync('/etc', join(tree, 'src/out'));
	return tree;
};

const allows = (command: string, wanted = {}) =>
	isAllowed(allowances, scope, makeTree(), {kind: 'execute', paths: [], command, ...wanted});

it.each([
	'node --test',
	'node --test src/a.test.js docs/b.test.js',
	'node --test --test-reporter=spec .',
])('allows "%s" for the session', async command => {
	expect(await allows(command)).toBe(true);
});

it.each([
	['node src/a.js', 'other words'],
	['node --test ../other', 'a way out of the worktree'],
	['node --test /etc/passwd', 'an absolute path'],
	['node --test src/out/passwd', 'a link that leads out'],
	['node --test --import=/tmp/x.js', 'a path behind an option'],
	['node --test secret/a.js', 'what its scope forbids'],
	['node --test -I/etc', 'a path glued to an option'],
	['node --test -C../..', 'a way out glued to an option'],
	['node --test @/etc/passwd', 'a path behind a sign'],
	['node --test file:///etc/passwd', 'the address of a file'],
	["node --test 'a; rm -rf x'", 'what a shell would run'],
	['node --test sh', 'a program that runs others'],
	['node --test .git/hooks/x', 'what no agent may touch'],
	['node --test .claude/x.js', 'what no agent may touch'],
])('still asks about "%s": %s', async command => {
	expect(await allows(command)).toBe(false);
});

it.each([
	['in another folder', {paths: ['/tmp']}],
	['for something beside the command', {kind: 'other'}],
	['with a diff', {about: 'edit'}],
])('still asks about a command that is run %s', async (_, wanted) => {
	expect(await allows('node --test', wanted)).toBe(false);
});
