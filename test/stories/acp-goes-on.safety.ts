import {expect, test} from 'vitest';
import {overAcp, scripted} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('an agent over ACP goes on with its conversation after its supervisor was killed', async () => {
	await using session = await startSession({
		agents: [
			scripted({
				steps: [
					{write: {path: 'src/work.txt', text: 'half'}},
					{say: 'PROGRESS: half - done'},
					{run: 'printf " and half" >> src/work.txt'},
					{complete: {}},
				],
			}),
		],
	});
	const asked = await session.item('permission', 'AGT-001');
	await session.killSupervisor();
	await session.project.run('status');
	const again = await session.until('the permission again', ({state}) =>
		state.items.find(({kind, id}) => kind === 'permission' && id !== asked.id),
	);
	expect((await session.tryAnswer(asked, 'once')).code).toBe(1);
	await session.answer({...asked, id: again.id}, 'once');
	await session.accept('AGT-001');
	await session.approve();

	expect(git(session.project.root, 'show', 'main:src/work.txt')).toBe('half and half');
	expect(session.events('conversation.opened')).toHaveLength(1);
	expect(session.events('turn.started').map(({turn}) => turn)).toEqual([1, 2]);
	const said = session.events('signal.said').filter(({signal}) => signal.kind === 'progress');
	expect(said).toHaveLength(1);
});

test('an agent over ACP is told why it was refused, and ends with its session', async () => {
	await using session = await startSession({
		agents: [
			scripted({'on-refusal': 'cancel', steps: [{run: 'make'}, {ask: {question: 'What now?'}}]}),
			scripted({steps: [{run: 'make'}, {complete: {}}]}),
		],
	});
	await session.answer(await session.item('permission', 'AGT-001'), 'refuse', 'never make');
	await session.item('question', 'AGT-001');
	expect(session.events('turn.started').filter(({agent}) => agent === 'AGT-001')).toHaveLength(1);
	await session.answer(await session.item('permission', 'AGT-002'), 'abort');
	await session.agent('AGT-002', 'ABORTED');
	const {code} = await session.project.run('stop');
	expect(code).toBe(0);
	expect((await session.end()).ended.status).toBe('ABORTED');
});

test('an agent over ACP that forgot its conversation is told its whole task again', async () => {
	await using session = await startSession(
		{agents: [overAcp('forgets.ts')]},
		{'.delegate-tui.yaml': 'docs: false\nquestions: {quick: 0s}\n'},
	);
	const question = await session.item('question');
	await session.agent('AGT-001', 'CHECKPOINT');
	await session.answer(question, '8080');
	await session.agent('AGT-001', 'COMPLETE');
	expect(session.state().agents[0]?.updates.summary?.value).toBe('was told everything');
	expect(new Set(session.events('turn.started').map(({pid}) => pid)).size).toBe(2);
	expect(session.events('conversation.opened')).toHaveLength(2);
});

test.each([
	['silently', 'COMPLETE'],
	['for-good', 'FAILED'],
] as const)(
	'an agent over ACP that takes its conversation up and refuses to answer in it begins anew once (%s)',
	async (how, end) => {
		await using session = await startSession(
			{agents: [overAcp('forgets.ts', how)]},
			{'.delegate-tui.yaml': 'docs: false\nquestions: {quick: 0s}\n'},
		);
		const question = await session.item('question');
		await session.agent('AGT-001', 'CHECKPOINT');
		await session.answer(question, '8080');
		await session.agent('AGT-001', end);
		const told = how === 'silently' ? 'was told everything' : undefined;
		expect(session.state().agents[0]?.updates.summary?.value).toBe(told);
		expect(session.events('turn.started')).toHaveLength(2);
		expect(session.events('conversation.opened').map(({because}) => because)).toEqual([
			undefined,
			'forgotten',
		]);
		expect((await session.project.run('log')).stdout).toContain('and is told everything again');
	},
);

test('an agent over ACP that never answers is ended with its session', async () => {
	await using session = await startSession({agents: [overAcp('silent.ts')]});
	await session.event('workspace.prepared');
	expect((await session.project.run('stop')).code).toBe(0);
	expect((await session.end()).ended.status).toBe('ABORTED');
});
