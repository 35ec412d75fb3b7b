import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findHere} from '../../src/cli/here.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {working} from '../helpers/given.ts';
import {makeProject, type Project} from '../helpers/project.ts';

const id = 'DEL-20260101T000000000Z';

/** A project with one session, whose journal is damaged in a line. */
const damaged = async (line: number): Promise<Project> => {
	const project = makeProject({'a.txt': 'a\n'});
	const {repository} = await findHere(project.root);
	const folder = repositoryFolder(project.state, repository.id).session(id);
	const journal = await openJournal({folder: folder.journal, session: id});
	const {events} = working(['AGT-001']);
	await journal.append(events().map(({seq: _, ...body}) => body));
	await journal.close();
	const path = join(folder.journal, '000001.ndjson');
	const lines = readFileSync(path, 'utf8').split('\n');
	writeFileSync(path, lines.with(line - 1, 'wet').join('\n'));
	return project;
};

test('a session of whose journal nothing can be read is no session that never was', async () => {
	const project = await damaged(1);
	const status = await project.run('status');
	expect(status.stdout).toBe(`${id}: nothing of this session’s journal can be read.`);
	expect(status.stderr).toContain('000001.ndjson is damaged in line 1');
	expect((await project.run('inbox')).stdout).toBe(status.stdout);
	const {session, fault} = JSON.parse((await project.run('status', '--json')).stdout);
	expect(session).toBeNull();
	expect(fault).toEqual({
		message: expect.stringContaining('is damaged in line 1'),
		hint: expect.stringContaining(`--set-aside ${id}`),
	});
});

test('what stands before the damage is told as what was true then', async () => {
	const project = await damaged(4);
	const {stdout} = await project.run('status');
	expect(stdout).toMatch(/^DEL-\S+: not all of this session’s journal can be read; what follows/);
	expect(stdout).toContain('AGT-001');
	expect(JSON.parse((await project.run('inbox', '--json')).stdout)).toMatchObject({
		items: expect.any(Array),
		fault: {message: expect.stringContaining('is damaged in line 4')},
	});
});
