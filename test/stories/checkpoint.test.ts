import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a checkpoint is pinned and reviewed, and the agent goes on with what the person said', async () => {
	await using session = await startSession({agents: [agent('checks-in.sh', ['src/text.txt'])]});
	const checkpoint = await session.item('checkpoint', 'AGT-001');
	expect(session.events('session.started')).toMatchObject([{settings: {checkpointMs: 1_800_000}}]);
	expect(checkpoint).toMatchObject({
		title: 'Checkpoint: in progress, 40 %; it asks to continue',
		request: 'CONTINUE',
	});
	await session.agent('AGT-001', 'CHECKPOINT');
	const [pinned] = session.events('snapshot.taken');
	expect(pinned?.files).toBe(1);

	const refused = await session.tryAnswer(checkpoint, 'help');
	expect(refused.code).toBe(1);
	expect(refused.stdout).toContain('needs a note');
	await session.answer(checkpoint, 'help', 'Write it in the active voice');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/text.txt')).toMatch(
		/^CHECKPOINT REVIEWED .*Write it in the active voice$/,
	);
});
