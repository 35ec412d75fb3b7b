import {readFileSync, readlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Event} from '../../src/events/event.ts';
import {fold} from '../../src/state/apply/apply.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, type Project} from '../helpers/project.ts';
import {belongings, git, script, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const files = {'src/shared.txt': 'base\n', 'other.txt': 'other\n', '.gitignore': '.env\n'};

/** Has a session merge its work and end. */
const mergeIn = async (project: Project): Promise<Project> => {
	await using session = await startSession(
		{agents: [agent('edits.sh', ['src/shared.txt', 'merged', 'src/new.txt', 'new'])]},
		project,
	);
	await session.accept('AGT-001');
	await session.approve();
	await session.gone();
	return project;
};

const tipOf = ({root}: Project): string => git(root, 'rev-parse', 'main');

const eventsOf = async (project: Project): Promise<readonly Event[]> =>
	(await project.run('log', '--json')).stdout.split('\n').map(line => JSON.parse(line));

test('a merge is taken back to the byte, brought back, and taken back again', async () => {
	const project = await mergeIn(makeProject(files));
	const {root} = project;
	write(root, {'.env': 'SECRET=1\n', 'other.txt': 'my edit\n', 'untracked.txt': 'mine\n'});
	const merge = tipOf(project);
	const with_ = belongings(root);
	const asked = await project.run('undo');
	expect(asked.code).toBe(1);
	expect(asked.stdout).toContain(
		`No commit builds on it: main would go back from ${merge.slice(0, 10)}`,
	);
	expect(asked.stdout).toContain('2 files');
	expect(belongings(root)).toEqual(with_);

	const done = await project.run('undo', '--yes', '--json');
	expect([done.code, JSON.parse(done.stdout)]).toMatchObject([
		0,
		{ok: true, turn: 'undo', how: 'move', merge, files: 2, target: 'main'},
	]);
	expect(tipOf(project)).toBe(git(root, 'rev-parse', `${merge}^`));
	expect(readFileSync(join(root, 'src/shared.txt'), 'utf8')).toBe('base\n');
	expect(git(root, 'status', '--porcelain')).toBe(' M other.txt\n?? untracked.txt');

	expect((await project.run('undo', '--yes')).stdout).toContain(
		`Brought back: main is at ${merge.slice(0, 10)}`,
	);
	expect(belongings(root).files).toEqual(with_.files);
	expect((await project.run('undo', '--yes')).code).toBe(0);
	const events = await eventsOf(project);
	expect(events.map(({kind}) => kind).slice(-7)).toEqual([
		'session.ended',
		'merge.intended',
		'merge.undone',
		'merge.intended',
		'merge.published',
		'merge.intended',
		'merge.undone',
	]);
	expect(fold(events).agents.map(({state}) => state)).toEqual(['MERGED']);
	expect((await project.run('status')).stdout).toContain('COMPLETE');
});

test('an undo whose git and supervisor are killed in the middle is finished by the next command', async () => {
	const given = makeProject({...files, '.gitattributes': '*.txt filter=deadly\n'});
	git(given.root, 'config', 'filter.deadly.clean', 'cat');
	const project = await mergeIn(given);
	const {root, aside} = project;
	const before = git(root, 'rev-parse', 'main^');
	const armed = join(aside, 'armed');
	const deadly = join(aside, 'deadly');
	script(
		deadly,
		`[ "$PWD" = ${root} ] && [ -e ${armed} ] || exec cat
rm ${armed}
kill -9 $(ps -o ppid= -p $PPID) $PPID
`,
	);
	git(root, 'config', 'filter.deadly.smudge', deadly);
	writeFileSync(armed, '');
	expect((await project.run('undo', '--yes')).code).not.toBe(0);
	expect(git(root, 'rev-parse', 'main')).not.toBe(before);
	expect(readlinkSync(join(root, '.git/index.lock'))).toBe('delegate-move');

	await project.run('status');
	const events = await eventsOf(project);
	expect(events.at(-1)).toMatchObject({kind: 'merge.undone', to: before});
	expect(tipOf(project)).toBe(before);
	expect(git(root, 'status', '--porcelain')).toBe('');
});
