import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {git} from '../helpers/repository.ts';
import {shared, startCollision} from './collision.ts';

test('a conflict is resolved by hand, which is refused while markers remain', async () => {
	const {session: started, conflict} = await startCollision();
	await using session = started;
	const {folder = ''} = await session.answer(conflict, 'manual');
	const file = join(folder, 'files', shared);
	expect(readFileSync(file, 'utf8')).toMatch(
		/^<{15} AGT-001\nleft\n\|{15} .*\nbase\n={15}\nright\n>{15} AGT-002\n$/,
	);
	expect(readFileSync(join(folder, 'AGT-002', shared), 'utf8')).toBe('right\n');

	const refused = await session.tryAnswer(conflict, 'done');
	expect(refused.code).toBe(1);
	expect(JSON.parse(refused.stdout).error.message).toBe(`Conflict markers remain in ${shared}.`);

	writeFileSync(file, 'left and right\n');
	await session.answer(conflict, 'done');
	await session.approve();
	expect(git(session.project.root, 'show', `main:${shared}`)).toBe('left and right');
	expect(git(session.project.root, 'show', 'main:src/left.txt')).toBe('left');
});
