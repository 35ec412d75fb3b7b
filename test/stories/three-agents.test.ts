import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('three agents work side by side and their accepted work is merged in one commit', async () => {
	await using session = await startSession({
		agents: [
			agent('edits.sh', ['src/one.txt', 'one']),
			agent('edits.sh', ['src/two.txt', 'two']),
			agent('edits.sh', ['src/three.txt', 'three']),
		],
		verify: ['cat src/one.txt src/two.txt src/three.txt'],
	});
	const {root} = session.project;
	const before = git(root, 'rev-parse', 'main');
	await session.accept('AGT-001', 'AGT-002', 'AGT-003');
	const approval = await session.item('approval');
	expect(approval.title).toContain('3 files, checked');
	expect(git(root, 'rev-parse', 'main')).toBe(before);
	expect(existsSync(join(root, 'src'))).toBe(false);

	const {code, ended} = await session.approve();
	expect(code).toBe(0);
	expect(ended.status).toBe('COMPLETE');
	expect(git(root, 'rev-parse', 'main')).toBe(session.events('merge.published')[0]?.commit);
	expect(git(root, 'log', '--format=%P %an', '-1')).toBe(`${before} Ada Person`);
	expect(git(root, 'show', '--format=', '--name-status', 'HEAD').split('\n')).toEqual([
		'A\tsrc/one.txt',
		'A\tsrc/three.txt',
		'A\tsrc/two.txt',
	]);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(session.state().agents.map(({state}) => state)).toEqual(['MERGED', 'MERGED', 'MERGED']);
});
