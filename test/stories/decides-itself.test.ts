import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, program} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

/** One that has cleaned its environment is seen by where it comes from, or not at all where it has process ids of its own. */
const refusal =
	/^(?:This is for people|The supervisor can’t see which process asks)[\s\S]*\nexit 1$/;

test('an agent that answers its own request is refused, with its environment and without', async () => {
	const project = makeProject();
	const words = [project.root, project.state, process.execPath, program];
	// With its input open it may take its time for that.
	const decider = agent('decides-itself.sh', words, {reply: 'stdin'});
	await using session = await startSession({agents: [decider]}, project);
	const request = await session.item('scope', 'AGT-001');
	await session.event('signal.said', ({signal}) => signal.kind === 'progress');
	expect(session.events('user.decided').map(({item}) => item)).toEqual(['p-1']);

	await session.answer(request, 'refuse');
	if (process.platform === 'linux') {
		const way = expect.stringContaining(`answer ${request.id} refuse`);
		const {asker} = await session.event('user.decided', ({item}) => item === request.id);
		expect(asker).toMatchObject({way});
	}

	// It went by the program's path, past the name that refuses it.
	const review = await session.item('review', 'AGT-001');
	const tried = session.events('scope.left').map(({path}) => path);
	expect([review.kind, ...tried]).toEqual(['review', 'delegate-tui answer']);
	await session.accept('AGT-001');
	await session.approve();
	for (const way of ['open', 'clean', 'orphan']) {
		const told = git(project.root, 'show', `main:src/${way}.txt`);
		expect([way, told]).toEqual([way, expect.stringMatching(refusal)]);
	}
});
