import {expect, test} from 'vitest';
import {workNotes} from '../../../src/state/agent/work-notes.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {git, write} from '../../helpers/repository.ts';
import {type AtWork, makeAtWork} from '../at-work.ts';

const files = {'.gitignore': 'build/\n*.log\n', 'src/a.txt': 'a\n'};

/** Takes the snapshot of a turn's end, and returns what a person is told of what it lacks. */
const told = async ({world, agent, believe}: AtWork) => {
	believe(...(await capture(world, agent(), 'a test')));
	return workNotes(agent());
};

test('what a new ignore rule of an agent hides from its work is named', async () => {
	const atWork = await makeAtWork(files);
	const {tree} = atWork;
	write(tree, {'src/.gitignore': 'secret*\n', 'src/secret1': '1\n', 'src/secret2': '2\n'});
	expect(await told(atWork)).toEqual([
		'2 files are left out because its own ignore rule hides them: src/secret1, src/secret2.',
	]);
});

test('a rule that hides itself hides nothing else', async () => {
	const atWork = await makeAtWork(files);
	write(atWork.tree, {'src/.gitignore': '*\n', 'src/secret': '1\n'});
	expect(await told(atWork)).toEqual([
		'2 files are left out because its own ignore rule hides them: src/.gitignore, src/secret.',
	]);
});

test('what was there and hid itself before the agent began is nobody’s work', async () => {
	const atWork = await makeAtWork(files);
	write(atWork.tree, {'src/.venv/.gitignore': '*\n', 'src/.venv/bin': 'made by setup\n'});
	atWork.clock.at = '9999-01-01T00:00:00.000Z';
	atWork.begins();
	atWork.ends();
	expect(await told(atWork)).toEqual([]);
});

test('what the person’s own rules ignore is nobody’s work, unless the agent told git to take it', async () => {
	const atWork = await makeAtWork(files);
	const {tree} = atWork;
	write(tree, {'src/build/out.txt': 'made\n', 'src/x.log': 'log\n'});
	expect(await told(atWork)).toEqual([]);

	git(tree, 'add', '-f', 'src/build/out.txt');
	const note =
		'1 file is left out because your ignore rules match it, although its agent added it by force: src/build/out.txt.';
	expect(await told(atWork)).toEqual([note]);
	git(tree, 'commit', '--quiet', '-m', 'by force');
	expect(await told(atWork)).toEqual([note]);
});
