import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('the scope of an agent that asks is widened, and what it then writes there is merged', async () => {
	await using session = await startSession({
		agents: [agent('asks-for-scope.sh', ['guide/start.md'])],
	});
	const request = await session.item('scope', 'AGT-001');
	expect(request.title).toBe('Wants to write outside its scope: guide/start.md');
	await session.answer(request, 'widen', 'guide/**');
	await session.accept('AGT-001');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:guide/start.md')).toBe('allowed');
	expect(session.events('scope.left')).toEqual([]);
	expect(session.state().agents[0]?.subtask.scope.allowed).toEqual(['src/**', 'guide/**']);
});
