import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {markedProcesses} from '../helpers/marked-processes.ts';
import {agent} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test('a supervisor that can’t take up a session says why and is gone, and the next one takes it up', async () => {
	await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	const {project} = session;
	const question = await session.item('question', 'AGT-001');
	await session.agent('AGT-001', 'CHECKPOINT');
	const base = join(project.root, '.git/refs/delegate', session.id, 'base');
	rmSync(base);
	mkdirSync(base);
	writeFileSync(join(base, 'in-the-way.lock'), '');
	await session.killSupervisor();

	await project.run('status');
	const log = join(dirname(session.folder.path), 'supervisor.log');
	await expect.poll(() => readFileSync(log, 'utf8')).toContain('refs/delegate');
	const supervisors = () =>
		markedProcesses(`DELEGATE_TUI_STATE=${project.state}`)
			.map(({command}) => command)
			.filter(command => command.includes('supervise'));
	await expect.poll(supervisors).toEqual([]);

	rmSync(base, {recursive: true});
	await session.answer(question, 'oauth');
	await session.accept('AGT-001');
	await session.approve();
});
