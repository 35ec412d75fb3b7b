import {readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Body} from '../../../src/events/event.ts';
import {worktreePath} from '../../../src/git/store/worktree-path.ts';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {apply} from '../../../src/state/apply/apply.ts';
import {openResolution, seeResolution} from '../../../src/supervisor/perform/resolution.ts';
import {conflictOf} from '../../../src/supervisor/show/show-side.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {subtask} from '../../helpers/plan.ts';
import {snapshotTaken} from '../../helpers/quiet-outcome.ts';
import {commitAll, git, write} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

const edited = 'notes/one.txt';
const text = (first: string, last: string): string => [first, ...'-----', last, ''].join('\n');

/** A folder in which two agents changed the same file, where a third one has a script; a person is to settle it. */
const makeMeeting = async (one: string, other: string) => {
	const ids = ['AGT-001', 'AGT-002', 'AGT-003'] as const;
	const {world, state: before} = await makeSupervised(
		{[edited]: text('a', 'z')},
		{agents: ids.map(id => subtask(id))},
	);
	const {base} = requireSession(before);
	const {root} = world.repository;
	let state = before;
	const tell = (...bodies: readonly Body[]): void => {
		for (const body of bodies) {
			state = apply(state, {...body, seq: state.seq + 1, at: state.at});
		}
	};
	for (const [agent, content] of [
		['AGT-001', one],
		['AGT-002', other],
	] as const) {
		git(root, 'checkout', '--quiet', '--detach', base);
		write(root, {[edited]: content});
		const work = commitAll(root, agent);
		tell(
			{kind: 'workspace.prepared', agent, base, baseline: base, onto: [], conflicts: []},
			{...snapshotTaken(state, agent, 'test'), work},
		);
	}

	const file = {mode: '100755', oid: await writeBlob(world.store, Buffer.from('run\n'))};
	tell(
		{
			...{kind: 'conflict.found', type: 'FILE_CONFLICT', summary: 'in the way'},
			...{path: 'notes~1234567', a: ['AGT-001', 'AGT-002'], b: ['AGT-003']},
			stages: {base: null, a: null, b: file},
			evidence: [
				{side: 'a', path: edited, line: 1},
				{side: 'b', path: 'notes', line: 1},
			],
		},
		{kind: 'merge.blocked', conflicts: ['c-1']},
		{kind: 'user.decided', item: 'c-1', choice: 'manual', by: 'user'},
	);
	return {
		open: async (): Promise<string> => {
			tell(...(await openResolution(world, state, 'c-1')));
			return worktreePath(world.folder.resolution('c-1'), 'files');
		},
		taken: () => seeResolution(world, state, conflictOf(state, 'c-1')),
	};
};

test('the folder holds what all of its owners changed in a file', async () => {
	const meeting = await makeMeeting(text('FIRST', 'z'), text('a', 'LAST'));
	const files = await meeting.open();
	expect(readFileSync(join(files, edited), 'utf8')).toBe(text('FIRST', 'LAST'));
});

test('owners of the folder who collide themselves are to be settled before', async () => {
	const meeting = await makeMeeting(text('FIRST', 'z'), text('OTHER', 'z'));
	await expect(meeting.open()).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringMatching(/^AGT-001 and AGT-002 can’t be combined: .*one\.txt/),
	});
});

test('a script that is given another name and changed can still be run', async () => {
	const meeting = await makeMeeting(text('FIRST', 'z'), text('a', 'LAST'));
	const files = await meeting.open();
	const there = join(files, 'notes~AGT-003');
	expect(statSync(there).mode & 0o777).toBe(0o755);
	renameSync(there, join(files, 'run.sh'));
	writeFileSync(join(files, 'run.sh'), 'run faster\n');
	rmSync(join(files, edited));
	expect((await meeting.taken()).files).toMatchObject([
		{path: 'notes', entry: null},
		{path: edited, entry: null},
		{path: 'run.sh', entry: {mode: '100755'}},
	]);
});
