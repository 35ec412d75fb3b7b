import {existsSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const told = [
	{
		choice: 'resolved',
		note: 'It runs on port 5433',
		line: /^BLOCKER RESOLVED .*It runs on port 5433/,
		logged: /^$/,
	},
	{
		choice: 'skip',
		note: 'Not needed today',
		line: /^SKIP .*Not needed today/,
		logged: /AGT-001 \(b-1\): The database is not reachable; note: Not needed today\n$/,
	},
];

test.for(told)(
	'an agent that stopped on a blocker is told: $choice',
	async ({choice, note, line, logged}) => {
		await using session = await startSession({agents: [agent('is-blocked.sh', ['src/told.txt'])]});
		const blocker = await session.item('blocker', 'AGT-001');
		expect(blocker.title).toBe('Blocked: The database is not reachable');
		await session.agent('AGT-001', 'CHECKPOINT');
		await session.answer(blocker, choice, note);
		await session.accept('AGT-001');
		await session.approve();
		expect(git(session.project.root, 'show', 'main:src/told.txt')).toMatch(line);
		const {skipped} = session.folder;
		expect(existsSync(skipped) ? readFileSync(skipped, 'utf8') : '').toMatch(logged);
	},
);
