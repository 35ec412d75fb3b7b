import {cpSync, mkdirSync, renameSync, rmSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {checkSessions} from '../../../src/cli/doctor/sessions.ts';
import {type Here, requireActiveSession} from '../../../src/cli/here.ts';
import {movedSession} from '../../../src/cli/no-session.ts';
import {pinBase} from '../../../src/git/repository/base-ref.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {openJournal} from '../../../src/journal/writer.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {planOf, sessionStarted, subtask} from '../../helpers/plan.ts';
import {git, makeRepository, temporaryFolder} from '../../helpers/repository.ts';

const id = 'DEL-20261121T190000000Z';

const at = '2026-11-21T19:00:00.000Z';

/** A session that was begun in a repository, and a way to see that from wherever the repository is by now. */
const begun = async (...ended: readonly 'ended'[]) => {
	const root = makeRepository({'a.txt': 'a\n'});
	const state = temporaryFolder();
	const hereAt = async (path: string): Promise<Here> => {
		const repository = await openRepository(path);
		return {repository, folder: repositoryFolder(state, repository.id)};
	};
	const {repository, folder} = await hereAt(root);
	const base = git(root, 'rev-parse', 'HEAD');
	await pinBase(repository, id, base);
	const journal = await openJournal({folder: folder.session(id).journal, session: id});
	const started = sessionStarted(planOf([subtask('AGT-001')]), {session: id, base});
	await journal.append([{at, ...started, repository: {id: repository.id, root}}]);
	await journal.append(
		ended.map(() => ({at, kind: 'session.ended', status: 'COMPLETE', why: 'done'})),
	);
	await journal.close();
	return {root, folder, hereAt};
};

test('a session that was begun before its repository was moved is named with its place and the way out', async () => {
	const {root, hereAt} = await begun();
	expect(await movedSession(await hereAt(root), 'any')).toBeUndefined();
	renameSync(root, `${root}-moved`);
	const here = await hereAt(`${root}-moved`);
	const words = `Session ${id} was begun in ${root}, before this repository was moved, and has not ended.`;
	await expect(requireActiveSession(here)).rejects.toMatchObject({
		kind: 'refused',
		message: words,
		hint: expect.stringContaining('move the repository back'),
	});
	const containment = groupsContainment('for a test');
	expect(await checkSessions({here, environment: {}, containment})).toContainEqual(
		expect.objectContaining({level: 'warn', text: words.slice(0, -1)}),
	);
	git(here.repository.root, 'update-ref', '-d', `refs/delegate/${id}/base`);
	expect(await movedSession(here, 'any')).toBeUndefined();
	renameSync(`${root}-moved`, root);
	expect(await movedSession(await hereAt(root), 'any')).toBeUndefined();
});

test('one that has ended keeps nobody from starting another', async () => {
	const {root, hereAt} = await begun('ended');
	renameSync(root, `${root}-moved`);
	const here = await hereAt(`${root}-moved`);
	expect(await movedSession(here, 'active')).toBeUndefined();
	expect((await movedSession(here, 'any'))?.message).toMatch(/before this repository was moved\.$/);
});

test('a session of the original counts for nothing in a copy', async () => {
	const {root, hereAt} = await begun();
	const copy = `${temporaryFolder()}/copy`;
	cpSync(root, copy, {recursive: true});
	const here = await hereAt(copy);
	expect(await movedSession(here, 'any')).toBeUndefined();
});

test('a session is found among those of other repositories', async () => {
	const {root, folder, hereAt} = await begun();
	for (const other of ['0', 'z']) {
		mkdirSync(join(dirname(folder.path), other, 'DEL-1'), {recursive: true});
	}

	renameSync(root, `${root}-moved`);
	const moved = await movedSession(await hereAt(`${root}-moved`), 'active');
	expect(moved?.message).toContain(`Session ${id} was begun in ${root}, before`);
});

test('a session without a journal is named by where its state lies', async () => {
	const {root, folder, hereAt} = await begun();
	rmSync(folder.session(id).journal, {recursive: true});
	renameSync(root, `${root}-moved`);
	const moved = await movedSession(await hereAt(`${root}-moved`), 'active');
	expect(moved?.message).toContain(`was begun in ${basename(folder.path)}, before`);
});
