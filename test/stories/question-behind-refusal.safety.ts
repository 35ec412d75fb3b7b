import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {overAcp} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a question is asked that an agent begins in the line in which it gave up at a refusal', async () => {
	await using session = await startSession({agents: [overAcp('ends-no-line.ts')]});
	await session.answer(await session.item('question', 'AGT-001'), '8080');
	await session.accept('AGT-001');
	await session.approve();

	expect(session.events('scope.left')).toMatchObject([{path: 'other.txt', change: 'refused'}]);
	expect(session.events('turn.started').map(({prompt}) => prompt)).toEqual(['launch', 'resume']);
	expect(readFileSync(session.folder.agent('AGT-001').transcript(1), 'utf8')).toMatch(
		/^Info: Operation cancelled by user\n\[CLARIFICATION_NEEDED\]\n/,
	);
	expect(git(session.project.root, 'show', 'main:src/port.txt')).toBe('8080');
});
