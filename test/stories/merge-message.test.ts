import {expect, test} from 'vitest';
import {planFacts} from '../../src/client/texts/plan-text.ts';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';
import {shared} from './collision.ts';

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

test('a merge is a commit for each agent where the config says so, one for those between whom a person decided, and the last one is what was approved', async () => {
	await using session = await startSession(
		{
			agents: [
				agent('edits.sh', [shared, 'left', 'src/left.txt', 'left']),
				agent('keeps-both.sh', [shared, 'right']),
				agent('edits.sh', ['src/three.txt', 'three'], {subtask: 'Add three'}),
			],
		},
		{
			[shared]: 'base\n',
			'.delegate-tui.yaml':
				"docs: false\nmerge: per-agent\ntrailers: ['Reviewed-by: Ada <ada@example.org>']\n",
		},
	);
	const {project} = session;
	const {root} = project;
	const before = git(root, 'rev-parse', 'main');
	await session.accept('AGT-001', 'AGT-002', 'AGT-003');
	await session.answer(await session.item('conflict'), 'choose-one:AGT-002');
	const approval = await session.item('approval');
	expect((await project.run('inbox')).stdout).toMatch(
		/2 commits:.*Do what edits\.sh.*Do what keeps-both\.sh.*Add three/s,
	);
	expect((await session.tryAnswer(approval, 'reword')).code).not.toBe(0);
	const {tree} = await session.event('merge.built');
	await session.approve();
	const commits = git(root, 'log', '--reverse', '--format=%H %T %s', `${before}..main`);
	const [first = '', last = '', ...more] = commits.split('\n');
	expect(more).toEqual([]);
	expect(first).toContain('Do what edits.sh does');
	expect(last).toContain(`${tree} Add three`);
	expect(git(root, 'show', 'main^:src/left.txt', `main^:${shared}`)).toBe('left\nright');
	expect(git(root, 'log', '--format=%s', '-Sleft', `${before}..main`, '--', shared)).toBe('');
	expect(git(root, 'show', 'main:src/three.txt')).toBe('three');
	expect(git(root, 'log', '-2', '--format=%(trailers)', 'main')).toBe(
		'Reviewed-by: Ada <ada@example.org>\n\nReviewed-by: Ada <ada@example.org>\n',
	);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(await project.run('undo', '--yes')).toMatchObject({code: 0});
	expect(git(root, 'rev-parse', 'main^{tree}')).toBe(git(root, 'rev-parse', `${before}^{tree}`));
});

test('a plan that wants one commit for all has it, though the config says one for each', async () => {
	await using session = await startSession(
		{
			merge: 'squash',
			agents: ['one', 'two'].map(name => agent('edits.sh', [`src/${name}.txt`, name])),
		},
		{'.delegate-tui.yaml': 'docs: false\nmerge: per-agent\n'},
	);
	const {root} = session.project;
	const {plan} = await session.event('session.started');
	expect(planFacts(plan, 'main')).toContainEqual({
		name: 'Commits',
		text: 'one for all agents',
	});
	const before = git(root, 'rev-parse', 'main');
	await session.accept('AGT-001', 'AGT-002');
	await session.approve();
	expect(git(root, 'rev-list', '--count', `${before}..main`)).toBe('1');
});
