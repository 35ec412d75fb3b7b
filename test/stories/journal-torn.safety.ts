import {appendFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test('a journal whose end was torn by a crash is told wherever a person looks, and the session goes on', async () => {
	await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	const {project, folder} = session;
	const question = await session.item('question', 'AGT-001');
	await session.agent('AGT-001', 'CHECKPOINT');
	await session.killSupervisor();
	const halfLine = '{"seq":1000,"at":"2026-';
	appendFileSync(join(folder.journal, '000001.ndjson'), halfLine);

	await project.run('status');
	const {found} = await session.event('supervisor.started', ({found}) => found !== undefined);
	expect(found).toMatchObject({lost: [], interrupted: [], torn: expect.stringMatching(/^torn\//)});
	const torn = found?.torn ?? '';
	expect(readFileSync(join(folder.path, torn), 'utf8')).toBe(halfLine);
	const words = `the end of the journal was torn, and the torn part is kept in ${torn}.`;
	const {stdout} = await project.run('status', '--json');
	expect(JSON.parse(stdout).notices).toEqual([
		{level: 'info', text: expect.stringContaining(words)},
	]);
	expect((await project.run('status')).stdout.replaceAll(/\s+/g, ' ')).toContain(words);
	expect((await project.run('log')).stdout).toContain(words);

	await session.answer(question, 'oauth');
	await session.accept('AGT-001');
	await session.approve();
});
