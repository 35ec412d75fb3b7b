import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** Programs that are given one subtask, by their names in the config. */
const programs = {
	plain: agent('edits.sh', ['src/one.txt', 'plain', 'src/two.txt', 'plain']).agent,
	fancy: agent('edits.sh', ['src/one.txt', 'fancy', 'src/two.txt', 'fancy']).agent,
	broken: agent('crashes.sh', ['src/one.txt']).agent,
};

const startRivals = (rivals: readonly (keyof typeof programs)[]): Promise<Session> => {
	const {agent: _, ...parts} = agent('edits.sh');
	const project = makeProject({
		'.delegate-tui.yaml': stringify({docs: false, limits: {stagger: '0s'}, agents: programs}),
	});
	return startSession({agents: [{...parts, best_of: rivals}], verify: ['cat src/*.txt']}, project);
};

const checked = (session: Session, count: number) =>
	session.until('the checks of the rivals', () =>
		session.events('snapshot.checked').length >= count ? true : undefined,
	);

test('of two agents that do the same, each checked alone, the work of one is merged and the other is kept', async () => {
	await using session = await startRivals(['plain', 'fancy']);
	await checked(session, 2);
	const review = await session.item('review', 'AGT-002');
	expect(review).toMatchObject({
		rivals: [
			{agent: 'AGT-001', by: 'plain', verify: 'passed', files: 2, added: 2, removed: 0},
			{agent: 'AGT-002', by: 'fancy', verify: 'passed'},
		],
	});
	await session.answer(review, 'merge');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'show', 'main:src/one.txt')).toBe('fancy');
	const {stdout} = await session.project.run('diff', 'AGT-001');
	expect(stdout).toContain('+plain');
	expect((await session.project.run('report')).stdout).toContain(
		'set aside, since AGT-002 was taken',
	);
});

test('where one of three fails, one of the others is merged with a file of the third', async () => {
	await using session = await startRivals(['plain', 'fancy', 'broken']);
	await checked(session, 3);
	await session.item('failure', 'AGT-003');
	await session.item('review', 'AGT-002');
	const review = await session.item('review', 'AGT-001');
	const refused = await session.tryAnswer(review, 'merge-with:AGT-002', 'src/none.txt');
	expect(refused.stdout).toContain('AGT-002 changed no file that matches.');
	await session.answer(review, 'merge-with:AGT-002', 'src/two.txt');
	await session.approve();
	const {root} = session.project;
	expect(git(root, 'show', 'main:src/one.txt')).toBe('plain');
	expect(git(root, 'show', 'main:src/two.txt')).toBe('fancy');
	expect(session.state().agents.map(({state}) => state)).toEqual(['MERGED', 'MERGED', 'ABORTED']);
});
