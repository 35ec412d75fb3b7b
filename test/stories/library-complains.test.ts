import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {startSession} from '../helpers/session.ts';

const garbage = resolve(import.meta.dirname, '../../fixtures/agents/acp/garbage.ts');

test('what the library of the protocol complains of goes to the log, with its time', async () => {
	await using session = await startSession({
		agents: [
			{
				subtask: 'Say what no client knows',
				scope: {allowed: ['src/**']},
				agent: {protocol: 'acp', command: [process.execPath, garbage]},
			},
		],
	});
	await session.accept('AGT-001');
	expect((await session.approve()).code).toBe(0);
	const {repository} = await session.event('session.started', () => true);
	const {log} = repositoryFolder(session.project.state, repository.id);
	expect(readFileSync(log, 'utf8')).toMatch(
		/^\d{4}-\d\d-\d\dT[\d:.]+Z Error handling notification/m,
	);
});
