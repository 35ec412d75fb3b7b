import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {scripted} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const files = {
	'.gitignore': '*.log\n',
	'lib/run.sh': '#!/bin/sh\n',
	'lib/old.txt': 'old\n',
	'lib/a.txt': 'one\n',
	'lib/file': 'a file\n',
	'lib/folder/c.txt': 'in a folder\n',
};

test('an agent begins with what is not committed where the plan says so, and only its own work is merged', async () => {
	const project = makeProject(files);
	const {root} = project;
	writeFileSync(join(root, 'lib/a.txt'), 'one\ntwo\n');
	writeFileSync(join(root, 'lib/née.txt'), 'new\n');
	writeFileSync(join(root, 'lib/b.log'), 'ignored\n');
	chmodSync(join(root, 'lib/run.sh'), 0o755);
	rmSync(join(root, 'lib/old.txt'));
	rmSync(join(root, 'lib/file'));
	mkdirSync(join(root, 'lib/file'));
	writeFileSync(join(root, 'lib/file/d.txt'), 'now a folder\n');
	rmSync(join(root, 'lib/folder'), {recursive: true});
	writeFileSync(join(root, 'lib/folder'), 'now a file\n');
	const steps = [
		{write: {path: 'src/mine.txt', text: 'mine\n'}},
		{tool: {name: 'complete', fields: {status: 'success'}}},
	];
	const own = scripted({steps});
	await using session = await startSession(
		{agents: [{...own, uncommitted: true}, scripted({steps: steps.slice(1)})]},
		project,
	);
	await session.agent('AGT-001', 'COMPLETE');
	const {tree} = session.folder.agent('AGT-001');
	expect(readFileSync(join(tree, 'lib/a.txt'), 'utf8')).toBe('one\ntwo\n');
	expect(readFileSync(join(tree, 'lib/née.txt'), 'utf8')).toBe('new\n');
	expect(existsSync(join(tree, 'lib/old.txt'))).toBe(false);
	expect(readFileSync(join(tree, 'lib/file/d.txt'), 'utf8')).toBe('now a folder\n');
	expect(readFileSync(join(tree, 'lib/folder'), 'utf8')).toBe('now a file\n');
	expect(existsSync(join(tree, 'lib/b.log'))).toBe(false);
	expect(statSync(join(tree, 'lib/run.sh')).mode & 0o100).toBe(0o100);
	expect(readFileSync(session.folder.agent('AGT-001').prompt(1), 'utf8')).toContain(
		'Not committed: changes of the person',
	);
	await session.agent('AGT-002', 'COMPLETE');
	const other = session.folder.agent('AGT-002').tree;
	expect(readFileSync(join(other, 'lib/a.txt'), 'utf8')).toBe('one\n');
	await session.accept('AGT-001');
	await session.accept('AGT-002');
	const {code} = await session.approve();

	expect(code).toBe(0);
	expect(session.events('scope.left')).toEqual([]);
	expect(git(root, 'show', '--format=', '--name-status', 'main')).toBe('A\tsrc/mine.txt');
	expect(readFileSync(join(root, 'lib/a.txt'), 'utf8')).toBe('one\ntwo\n');
	expect(existsSync(join(root, 'lib/old.txt'))).toBe(false);
});

test('it is not brought along from a checkout of another commit', async () => {
	const project = makeProject(files);
	git(project.root, 'switch', '--quiet', '--create', 'topic');
	git(project.root, 'commit', '--quiet', '--allow-empty', '--message', 'Topic');
	await using session = await startSession(
		{target: 'main', agents: [{...scripted({steps: []}), uncommitted: true}]},
		project,
	);
	const failure = await session.item('failure', 'AGT-001');
	expect(failure.title).toContain('your checkout is at another commit');
});

test('a file that agent and person both changed is merged once the person has committed theirs', async () => {
	const project = makeProject({'src/a.txt': 'a\nb\nc\nd\n'});
	const {root} = project;
	writeFileSync(join(root, 'src/a.txt'), 'A\nb\nc\nd\n');
	const steps = [
		{write: {path: 'src/a.txt', text: 'A\nb\nc\nD\n'}},
		{tool: {name: 'complete', fields: {status: 'success'}}},
	];
	await using session = await startSession(
		{agents: [{...scripted({steps}), uncommitted: true}]},
		project,
	);
	await session.accept('AGT-001');
	const {id} = await session.item('approval');
	const refused = await project.run('answer', id, 'approve');
	expect(refused).toMatchObject({code: 1, stderr: expect.stringContaining('src/a.txt')});
	git(root, 'commit', '--quiet', '--all', '--message', 'Two');
	const theirs = git(root, 'rev-parse', 'main');
	await session.event('merge.built', ({tip}) => tip === theirs);
	const {code} = await session.approve();
	expect(code).toBe(0);
	expect(git(root, 'show', 'main:src/a.txt')).toBe('A\nb\nc\nD');
	expect(git(root, 'status', '--porcelain')).toBe('');
});
