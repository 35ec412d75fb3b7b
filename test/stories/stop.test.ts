import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('a session is stopped in the middle, and the work of its agents is kept', async () => {
	await using session = await startSession({
		agents: [agent('hangs-once.sh', ['src/work.txt']), agent('asks-once.sh', ['src/auth.txt'])],
	});
	const {project} = session;
	const before = git(project.root, 'rev-parse', 'main');
	await session.item('question', 'AGT-002');
	await session.event('signal.said', said => said.agent === 'AGT-001');
	const {code, stdout} = await project.run('stop');
	expect(code).toBe(0);
	expect(stdout).toContain(session.folder.path);

	const ended = await session.end();
	expect([ended.code, ended.ended.status]).toEqual([1, 'ABORTED']);
	expect(session.state().agents.map(({state}) => state)).toEqual(['ABORTED', 'ABORTED']);
	expect(git(project.root, 'rev-parse', 'main')).toBe(before);
	const kept = session.events('snapshot.taken').findLast(taken => taken.agent === 'AGT-001');
	const store = `${session.folder.path}/../store.git`;
	expect(git(store, 'show', `${kept?.commit}:src/work.txt`)).toBe('half');
	expect(git(store, 'for-each-ref', '--format=%(objectname)')).toContain(kept?.commit);

	const late = await project.run('answer', 'q-1', 'oauth', '--json');
	expect([late.code, JSON.parse(late.stdout).error.kind]).toEqual([1, 'refused']);
	const inbox = await project.run('inbox', '--json');
	expect(JSON.parse(inbox.stdout)).toEqual({items: []});
});
