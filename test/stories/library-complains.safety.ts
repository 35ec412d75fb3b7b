import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {overAcp} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

test('what the library of the protocol complains of goes to the log, with its time', async () => {
	await using session = await startSession({agents: [overAcp('garbage.ts')]});
	await session.accept('AGT-001');
	expect((await session.approve()).code).toBe(0);
	const {repository} = await session.event('session.started', () => true);
	const {log} = repositoryFolder(session.project.state, repository.id);
	expect(readFileSync(log, 'utf8')).toMatch(
		/^\d{4}-\d\d-\d\dT[\d:.]+Z Error handling notification/m,
	);
});
