import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Project} from '../helpers/project.ts';
import {id, writtenSession} from './written-session.ts';

/** A project with one session, whose journal is damaged in a line. */
const damaged = async (line: number): Promise<Project> => {
	const {project, folder} = await writtenSession();
	const path = join(folder.journal, '000001.ndjson');
	const lines = readFileSync(path, 'utf8').split('\n');
	writeFileSync(path, lines.with(line - 1, 'wet').join('\n'));
	return project;
};

test('a session of whose journal nothing can be read is no session that never was', async () => {
	const project = await damaged(1);
	const status = await project.run('status');
	expect(status.stdout).toBe(`${id}: this session’s journal can’t be read at all.`);
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
	expect(stdout).toMatch(/^DEL-\S+: this session’s journal can’t be read to its end; what follows/);
	expect(stdout).toContain('AGT-001');
	expect(JSON.parse((await project.run('inbox', '--json')).stdout)).toMatchObject({
		items: expect.any(Array),
		fault: {message: expect.stringContaining('is damaged in line 4')},
	});
});
