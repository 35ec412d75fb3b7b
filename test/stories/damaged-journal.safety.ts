import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent, writePlan} from '../helpers/plan-file.ts';
import type {Project} from '../helpers/project.ts';
import {filesBelow, git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** A session whose agent waits for an answer. */
const waitingSession = async (): Promise<Session> => {
	const session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	await session.item('question', 'AGT-001');
	await session.agent('AGT-001', 'CHECKPOINT');
	return session;
};

/** Changes a word in the fifth line of a journal, as a failing disk may. */
const damage = ({folder}: Session): void => {
	const path = join(folder.journal, '000001.ndjson');
	const lines = readFileSync(path, 'utf8').split('\n');
	lines[4] = lines[4]?.replace('"seq"', '"sEq"') ?? '';
	writeFileSync(path, lines.join('\n'));
};

const inLine5 = /000001\.ndjson is damaged in line 5: its checksum is wrong/;

const doctor = async (project: Project, ...words: readonly string[]) => {
	const {code, stdout} = await project.run('doctor', '--json', ...words);
	const {findings}: {findings: {check: string; level: string; text: string; hint?: string}[]} =
		JSON.parse(stdout);
	return {code, findings: findings.filter(({check}) => check === 'sessions')};
};

test('a session whose journal is damaged is set aside with all of its work, and a new one can start', async () => {
	await using session = await waitingSession();
	const {project, folder, id} = session;
	damage(session);
	await session.killSupervisor();
	// Also the command that follows the session ends: it would wait in vain.
	await session.gone();
	const work = filesBelow(folder.agent('AGT-001').tree);
	const wayOut = `delegate-tui doctor --set-aside ${id}`;

	const plan = {agents: [agent('edits.sh', ['src/a.txt', 'one'])]};
	for (const words of [
		['run', writePlan(project, plan), '--headless', '--yes'],
		...[['stop'], ['undo'], ['add', 'More'], ['answer', 'q-1', 'oauth'], ['log']],
	]) {
		const {code, stderr} = await project.run(...words);
		expect(code, words.join(' ')).toBe(1);
		expect(stderr, words.join(' ')).toMatch(inLine5);
		expect(stderr, words.join(' ')).toContain(wayOut);
	}

	const status = await project.run('status');
	expect(status.stderr).toMatch(inLine5);
	expect(status.stdout).toContain(id);
	const found = await doctor(project);
	expect(found.code).toBe(3);
	expect(found.findings).toContainEqual({
		check: 'sessions',
		level: 'bad',
		text: expect.stringMatching(/in line 5: its checksum is wrong; 3 events before that are whole/),
		hint: expect.stringContaining(wayOut),
	});

	expect((await project.run('doctor', '--set-aside', id)).stderr).toContain('Nothing was done');
	expect(existsSync(folder.setAside)).toBe(false);
	const done = await project.run('doctor', '--set-aside', id, '--yes');
	expect(done).toMatchObject({code: 0, stdout: expect.stringContaining(`${id} is set aside`)});
	expect(done.stdout).toContain(folder.agent('AGT-001').tree);
	for (const command of ['status', 'log', 'report']) {
		expect((await project.run(command)).stdout).toContain(`except those set aside: ${id}.`);
	}

	const after = await doctor(project, '--clean', '--yes');
	expect(after).toMatchObject({code: 0});
	expect(after.findings).toContainEqual(
		expect.objectContaining({
			level: 'absent',
			text: expect.stringContaining(`AGT-001 in ${folder.agent('AGT-001').tree}`),
		}),
	);
	expect(filesBelow(folder.agent('AGT-001').tree)).toEqual(work);
	expect(git(folder.agent('AGT-001').tree, 'status', '--short')).toContain('src/');
	expect(git(project.root, 'for-each-ref', '--format=%(refname)', 'refs/delegate')).toBe(
		`refs/delegate/${id}/base`,
	);
	for (const words of [
		['log', id],
		['watch', folder.path],
	]) {
		const {code, stdout, stderr} = await project.run(...words);
		expect(code).toBe(1);
		expect(stdout.split('\n')).toHaveLength(3);
		expect(stderr).toMatch(inLine5);
	}

	await using next = await startSession(plan, project);
	await next.accept('AGT-001');
	expect(await next.approve()).toMatchObject({code: 0});
	expect(await project.run('undo', '--yes')).toMatchObject({code: 0});
	expect(filesBelow(folder.agent('AGT-001').tree)).toEqual(work);
});

test('a supervisor that knows all of a session goes on although its journal is damaged, and ends it', async () => {
	await using session = await waitingSession();
	const {project, folder, id} = session;
	damage(session);
	const early = await project.run('doctor', '--set-aside', id, '--yes');
	expect(early.code).toBe(1);
	expect(early.stderr).toContain('A supervisor is at work');
	expect(existsSync(folder.setAside)).toBe(false);

	expect((await project.run('status')).stderr).toMatch(/^Only events before the damage/);
	expect((await project.run('stop')).stderr).toMatch(inLine5);
	await session.gone();
	expect((await project.run('doctor', '--set-aside', id, '--yes')).code).toBe(0);
	expect((await project.run('status')).stdout).toMatch(/^No session/);
});
