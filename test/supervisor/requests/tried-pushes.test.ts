import {execFileSync} from 'node:child_process';
import {existsSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {tracingEnvironment, triedToPush} from '../../../src/supervisor/requests/tried-pushes.ts';
import {hermeticHome, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

/** A repository in which every git leaves a trace. */
const makeTraced = () => {
	hermeticHome();
	const root = makeRepository({'a.txt': 'a\n'});
	const trace = join(temporaryFolder(), 'trace.ndjson');
	const env = {...process.env, ...tracingEnvironment(trace)};
	/** Runs git, whatever comes of it. */
	const git = (...words: readonly string[]): void => {
		try {
			execFileSync('git', words, {cwd: root, env, stdio: 'ignore'});
		} catch {}
	};
	return {git, trace};
};

test('a push that git refuses is told once, by whatever name it is called', async () => {
	const {git, trace} = makeTraced();
	git('push');
	expect(await triedToPush(trace)).toBe(true);
	expect(await triedToPush(trace)).toBe(false);
	expect(existsSync(trace)).toBe(false);
	git('-c', 'alias.out=push nowhere', 'out');
	expect(await triedToPush(trace)).toBe(true);
});

test('what else an agent does with git is no push, even where it fails', async () => {
	const {git, trace} = makeTraced();
	git('status');
	git('log', '--grep', 'push');
	git('checkout', 'push');
	git('stash', 'push');
	git('commit', '--message', 'push');
	expect(await triedToPush(trace)).toBe(false);
});

test('where the file should be, nothing that an agent puts there is followed', async () => {
	const {trace} = makeTraced();
	symlinkSync('/dev/zero', trace);
	expect(await triedToPush(trace)).toBe(false);
	expect(existsSync(trace)).toBe(false);
});
