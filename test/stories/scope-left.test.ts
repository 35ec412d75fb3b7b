import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('what an agent writes outside its scope is reverted while it works, and kept as a patch', async () => {
	await using session = await startSession({agents: [agent('leaves-scope.sh', ['outside.txt'])]});
	const {root} = session.project;
	const left = await session.event('scope.left');
	expect(left).toMatchObject({agent: 'AGT-001', path: 'outside.txt', change: 'added'});
	const patch = readFileSync(join(session.folder.path, left.patch), 'utf8');
	expect(patch).toContain('+out of bounds');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(root, 'show', '--format=', '--name-only', 'main')).toBe('src/inside.txt');
	expect(session.events('turn.started')).toHaveLength(1);
});

test('what an agent writes outside its scope again, just as before, is reverted again', async () => {
	await using session = await startSession({
		agents: [agent('leaves-scope.sh', ['outside.txt', '2'])],
	});
	await session.accept('AGT-001');
	await session.approve();
	expect(session.events('scope.left').map(({path}) => path)).toEqual([
		'outside.txt',
		'outside.txt',
	]);
	expect(session.events('turn.started')).toHaveLength(1);
});
