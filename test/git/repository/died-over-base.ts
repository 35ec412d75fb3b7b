import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {openRepository, type Repository} from '../../../src/git/repository/repository.ts';
import {git, makeRepository} from '../../helpers/repository.ts';

export const session = 'DEL-20260101T000000000Z';

/** A new repository, and the commit that is checked out. */
export const openNew = async () => {
	const repository = await openRepository(makeRepository());
	return {repository, head: git(repository.root, 'rev-parse', 'HEAD')};
};

/** Kills a git that has just locked the base's ref and not written it yet; its lock stays. */
export const dieOverBase = async ({root}: Repository, oid: string): Promise<string> => {
	const child = spawn('git', ['update-ref', '--stdin'], {cwd: root, detached: true});
	child.stdin.write(`start\nupdate refs/delegate/${session}/base ${oid}\nprepare\n`);
	for await (const words of child.stdout) {
		if (String(words).includes('prepare: ok')) {
			break;
		}
	}

	child.kill('SIGKILL');
	await once(child, 'close');
	return join(root, '.git/refs/delegate', session, 'base.lock');
};
