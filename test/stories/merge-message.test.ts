import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

test('a person reads the message of a merge at its approval and writes another one, which is what is committed', async () => {
	await using session = await startSession({
		agents: [agent('edits.sh', ['src/one.txt', 'one'])],
		verify: ['true'],
	});
	const {project} = session;
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	expect((await project.run('inbox')).stdout).toContain('- AGT-001: Do what edits.sh does');
	expect(await session.tryAnswer(approval, 'reword')).toMatchObject({code: 1});
	await session.answer(approval, 'reword', 'Add one\n\nIt was missing.');
	await session.until('the next approval', ({state}) =>
		state.items.find(({kind, id}) => kind === 'approval' && id !== approval.id),
	);
	using screen = openProgram(project, [], {columns: 100, rows: 60});
	await screen.until('⏎ a-2');
	await screen.typeUntil(keys.enter, 'It was missing.');
	await screen.typeUntil('e', 'Your note, with "reword"');
	screen.type(' Until now.');
	await screen.typeUntil(keys.enter, '⏎ a-3');
	await session.approve();
	expect(git(project.root, 'log', '-1', '--format=%B')).toContain(
		'Add one\n\nIt was missing. Until now.',
	);
});
