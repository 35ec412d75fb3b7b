import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {removeUnstarted} from '../../../src/supervisor/past/set-aside.ts';
import {dieOverBase, openNew, session} from '../../git/repository/died-over-base.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

test('a session that never began goes once no git is at work any more whose lock its own may be', async () => {
	const {repository, head} = await openNew();
	const folder = repositoryFolder(temporaryFolder(), repository.id);
	const {path} = folder.session(session);
	mkdirSync(path, {recursive: true});
	const lock = await dieOverBase(repository, head);
	const logged: string[] = [];
	const remove = () =>
		removeUnstarted({...{folder, repository}, log: message => void logged.push(message)});

	const busy = spawn('git', ['cat-file', '--batch'], {
		cwd: repository.root,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	onTestFinished(() => void busy.kill());
	await remove();
	expect(logged).toEqual([expect.stringMatching(/which never began, stay for now: .*cat-file/)]);
	expect([existsSync(lock), existsSync(path)]).toEqual([true, true]);

	const exited = once(busy, 'exit');
	busy.kill();
	await exited;
	await remove();
	expect(logged).toHaveLength(1);
	expect([existsSync(lock), existsSync(path)]).toEqual([false, false]);
});
