import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {sealed} from '../../../src/git/process/sealed.ts';
import {git, hermeticHome, script, temporaryFolder, write} from '../../helpers/repository.ts';

/** A bare repository to run sealed commands in. */
const place = () => {
	hermeticHome();
	const gitDir = join(temporaryFolder(), 'x.git');
	mkdirSync(gitDir);
	git(gitDir, 'init', '--quiet', '--bare');
	return {gitDir};
};

const setVariables = (variables: Readonly<Record<string, string>>): void => {
	Object.assign(process.env, variables);
	onTestFinished(() => {
		for (const name of Object.keys(variables)) {
			delete process.env[name];
		}
	});
};

test('nothing of our environment reaches git', async () => {
	const where = place();
	setVariables({
		GIT_OBJECT_DIRECTORY: '/nowhere',
		GIT_TRACE: '1',
		GIT_INDEX_FILE: '/nowhere/index',
	});
	const {stdout, stderr} = await sealed(where, ['hash-object', '-w', '--stdin'], {input: 'x'});
	expect(stderr).toBe('');
	expect(
		(await sealed(where, ['cat-file', '-t', stdout.toString().trim()])).stdout.toString(),
	).toBe('blob\n');
});

test('the person’s settings don’t count, and ours do', async () => {
	const where = place();
	git(where.gitDir, 'config', 'core.hooksPath', '/evil');
	const hooks = await sealed(where, ['config', '--get', 'core.hooksPath']);
	expect(hooks.stdout.toString()).toBe('/dev/null\n');
	const name = await sealed(where, ['config', '--get', 'user.name'], {expect: [1]});
	expect(name.stdout.toString()).toBe('');
	const own = await sealed(where, ['config', '--get', 'x.y'], {config: {'x.y': 'a "b"\nc'}});
	expect(own.stdout.toString()).toBe('a "b"\nc\n');
});

test('output is bytes, and input too', async () => {
	const where = place();
	const bytes = Buffer.from([0, 0xff, 0x0a, 0xc3, 0x0a]);
	const {stdout} = await sealed(where, ['hash-object', '-w', '--stdin'], {input: bytes});
	const oid = stdout.toString().trim();
	expect((await sealed(where, ['cat-file', 'blob', oid])).stdout).toEqual(bytes);
});

test('an exit code that isn’t expected is a failure in git’s words', async () => {
	const where = place();
	await expect(sealed(where, ['rev-parse', '--verify', 'nope'])).rejects.toMatchObject({
		kind: 'internal',
		message: 'git rev-parse failed: Needed a single revision',
	});
	expect((await sealed(where, ['rev-parse', '--verify', 'nope'], {expect: 'any'})).code).toBe(128);
	await expect(sealed({gitDir: join(where.gitDir, 'gone')}, ['version'])).rejects.toMatchObject({
		kind: 'internal',
	});
});

test('a git folder that another one contains is not found by itself', async () => {
	const where = place();
	const inner = join(where.gitDir, 'inner');
	write(inner, {'a.txt': ''});
	await expect(sealed({gitDir: inner}, ['rev-parse', '--git-dir'])).rejects.toThrow();
});

test('a git beside the files is not the git that runs', async () => {
	const where = place();
	script(join(where.gitDir, 'git'), 'echo evil');
	const {stdout} = await sealed(where, ['version']);
	expect(stdout.toString()).toMatch(/^git version/);
});
