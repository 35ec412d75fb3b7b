import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {commitAll, git, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('what the person committed meanwhile collides with an agent, which brings its work in again on top', async () => {
	await using session = await startSession(
		{agents: [agent('keeps-both.sh', ['src/shared.txt', 'the agent'])]},
		{'src/shared.txt': 'base\n'},
	);
	const {root} = session.project;
	await session.item('review', 'AGT-001');
	write(root, {'src/shared.txt': 'the person\n'});
	const moved = commitAll(root, 'my own commit');
	await session.event('target.moved', ({to}) => to === moved);
	await session.accept('AGT-001');
	const conflict = await session.item('conflict');
	expect(conflict.title).toContain('target and AGT-001 collide in src/shared.txt');
	// Whom else one could ask depends on what is installed here.
	const choices = conflict.choices.map(({choice}) => choice);
	expect(choices.filter(choice => !choice.startsWith('arbiter:'))).toEqual([
		'choose-one:target',
		'choose-one:AGT-001',
		'manual',
		'sequential:target,AGT-001',
		'redo:target,AGT-001',
		'abort:AGT-001',
	]);

	await session.answer(conflict, 'redo:target,AGT-001');
	await session.event('turn.started', ({turn}) => turn === 2);
	await session.accept('AGT-001');
	await session.approve();
	expect(git(root, 'show', 'main:src/shared.txt')).toBe('the person\nthe agent');
	expect(git(root, 'rev-parse', 'main^')).toBe(moved);
});
