import {describe, expect, test} from 'vitest';
import {readJournal} from '../../src/journal/read.ts';
import {isEvent} from '../../src/state/apply/apply.ts';
import {expectNobodyLeft} from '../helpers/nobody-left.ts';
import {git} from '../helpers/repository.ts';
import {tell} from './figures.ts';
import {expectMineUntouched, lookBefore} from './promises.ts';
import {makeBusyProject, playScene, quiet} from './scenes.ts';
import {runCommand} from './start.ts';

/** The moments of an undo, after which the next command finds it intended at the most, or done. */
const points = [
	{failpoint: 'before:merge.intended:1', isDone: false},
	{failpoint: 'after:merge.intended:1', isDone: true},
	{failpoint: 'before:merge.undone:1', isDone: true},
	{failpoint: 'after:merge.undone:1', isDone: true},
];

describe('a supervisor that is killed over an undo leaves the merge standing, or taken back', () => {
	test.each(points)('$failpoint', async ({failpoint, isDone}) => {
		const project = makeBusyProject();
		const {root} = project;
		const before = lookBefore(root);
		const onto = git(root, 'rev-parse', 'main');
		const {folder, id} = await playScene(quiet, {project});
		const merge = git(root, 'rev-parse', 'main');

		const killed = await runCommand(project, ['undo', '--yes'], {failpoint});
		expect(killed.exitCode).not.toBe(0);
		await expectNobodyLeft(project, id);
		const found = await runCommand(project, ['undo', '--json']);
		expect(JSON.parse(found.stdout)).toMatchObject({turn: isDone ? 'redo' : 'undo', merge});
		if (!isDone) {
			expect((await runCommand(project, ['undo', '--yes'])).exitCode).toBe(0);
		}

		await expectNobodyLeft(project, id);
		expect(git(root, 'rev-parse', 'main')).toBe(onto);
		expectMineUntouched({project, before, merged: {}});
		const {entries, end} = await readJournal(folder.journal);
		expect(end.kind).toBe('whole');
		expect(entries.filter(isEvent).filter(({kind}) => kind === 'merge.undone')).toHaveLength(1);
		tell('J, U, H', 'real kills of a supervisor over an undo', 1);
	});
});
