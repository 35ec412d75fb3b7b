import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {traced, triedToPush} from '../../../../src/supervisor/requests/tried-pushes.ts';
import {makeRepository, temporaryFolder} from '../../../helpers/repository.ts';

/** A repository in which every git leaves a trace. */
const makeTraced = async () => {
	const root = makeRepository({'a.txt': 'a\n'});
	const trace = join(temporaryFolder(), 'trace.ndjson');
	const env = {...process.env, ...(await traced(trace))};
	/** Runs git, whatever comes of it. */
	const git = (...words: readonly string[]): void => {
		try {
			execFileSync('git', words, {cwd: root, env, stdio: 'ignore'});
		} catch {}
	};
	return {git, trace, root};
};

test('a push that git refuses is told once, by whatever name it is called', async () => {
	const {git, trace} = await makeTraced();
	git('push');
	expect(await triedToPush(trace)).toBe(true);
	expect(await triedToPush(trace)).toBe(false);
	expect(existsSync(trace)).toBe(false);
	git('-c', 'alias.out=push nowhere', 'out');
	expect(await triedToPush(trace)).toBe(true);
});

test('what else an agent does with git is no push, even where it fails', async () => {
	const {git, trace} = await makeTraced();
	git('status');
	git('log', '--grep', 'push');
	git('checkout', 'push');
	git('stash', 'push');
	git('commit', '--message', 'push');
	expect(await triedToPush(trace)).toBe(false);
});

test('where the file should be, nothing that an agent puts there is followed', async () => {
	const trace = join(temporaryFolder(), 'trace.ndjson');
	symlinkSync('/dev/zero', trace);
	expect(await triedToPush(trace)).toBe(false);
	expect(existsSync(trace)).toBe(false);
});

test.each([
	['it is only asked how it goes', ['push', '-h']],
	['its goal is a path above', ['push', '../bare.git', 'HEAD:main']],
	['its goal is a whole path', ['-c', 'a.b=c', 'push', '-o', 'x', '--force', '/nowhere/bare.git']],
	['its goal is a path below', ['push', '--repo', './build/bare.git']],
	['its goal is a file’s address', ['push', '--repo=file:///nowhere/bare.git']],
	['its goal is the folder itself', ['push', '--', '.', 'HEAD:main']],
])('a push is none to elsewhere where %s', async (_, words) => {
	const {git, trace} = await makeTraced();
	git(...words);
	expect(readFileSync(trace, 'utf8')).toContain('"name":"push"');
	expect(await triedToPush(trace)).toBe(false);
});

test('a push that another repository of this machine turns down is none', async () => {
	const {git, trace} = await makeTraced();
	const bare = join(temporaryFolder(), 'bare.git');
	git('init', '--bare', bare);
	git('push', bare, 'HEAD:main');
	git('commit', '--allow-empty', '--amend', '--message', 'another');
	git('push', bare, 'HEAD:main');
	expect(readFileSync(trace, 'utf8')).toMatch(/"event":"exit".*"code":1\b/);
	expect(await triedToPush(trace)).toBe(false);
});

test.each([
	['origin'],
	['https://me:pw@127.0.0.1:1/a.git'],
	['ssh://127.0.0.1:1/a.git'],
	['127.0.0.1:a/b.git'],
	['origin/x'],
])('a push to %s is one', async goal => {
	const {git, trace} = await makeTraced();
	git('-c', 'protocol.allow=never', 'push', '--force', goal, 'HEAD:main');
	expect(await triedToPush(trace)).toBe(true);
});

test('what an agent puts beside the file doesn’t stand before what it tells', async () => {
	const {git, trace} = await makeTraced();
	git('push');
	mkdirSync(`${trace}.taken`);
	expect(await triedToPush(trace)).toBe(true);
});

test('nobody else may read the file, and what a lost turn left in it is not told as the next one’s', async () => {
	const {git, trace} = await makeTraced();
	git('-c', 'http.extraHeader=Authorization: secret', 'push');
	expect(statSync(trace).mode & 0o777).toBe(0o600);
	await traced(trace);
	expect(readFileSync(trace, 'utf8')).toBe('');
	expect(await triedToPush(trace)).toBe(false);
});

test('where no file can be made, nothing is written', async () => {
	const trace = join(temporaryFolder(), 'gone', 'trace.ndjson');
	expect(await traced(trace)).toEqual({});
});

test('a push with more options than any person types is one, and words that are none do no harm', async () => {
	const trace = join(temporaryFolder(), 'trace.ndjson');
	const told = (argv: readonly unknown[]): string =>
		[
			{event: 'start', sid: 'a', argv},
			{event: 'cmd_name', sid: 'a', name: 'push'},
			{event: 'exit', sid: 'a', code: 1},
		]
			.map(line => `${JSON.stringify(line)}\n`)
			.join('');
	const many = Array.from({length: 200_000}, () => '-x');
	writeFileSync(trace, told(['git', ...many, 'push', ...many]));
	expect(await triedToPush(trace)).toBe(true);
	writeFileSync(trace, told([{toString: 0}]));
	expect(await triedToPush(trace)).toBe(true);
});
