import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {belongings, git, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

test('of an agent that leaves its scope and attacks git nothing reaches the person or the merge', async () => {
	const project = makeProject({'readme.md': 'hello\n', 'kept.txt': 'kept\n'});
	const {root, aside} = project;
	const witness = join(aside, 'witness');
	write(root, {'readme.md': 'stashed\n'});
	git(root, 'stash', 'push', '--quiet');
	const {refs: _, ...before} = belongings(root);
	const stash = git(root, 'stash', 'show', '--patch');
	await using session = await startSession(
		{
			agents: [agent('breaks-out.sh', [root, witness])],
			verify: ['test ! -e outside.txt', 'test -e kept.txt'],
		},
		project,
	);
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	expect(approval.title).toContain('(1 file, checked)');
	const {refs, gitFiles, ...now} = belongings(root);
	expect({...now, gitFiles: {...before.gitFiles, ...gitFiles}}).toMatchObject(before);
	expect(refs.split('\n').map(line => line.split(' ')[0])).toEqual([
		`refs/delegate/${session.id}/base`,
		'refs/heads/main',
		'refs/stash',
	]);

	await session.approve();
	expect(git(root, 'show', '--format=%an', '--name-status', 'main')).toBe(
		'Ada Person\n\nA\tsrc/honest.txt',
	);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(git(root, 'stash', 'show', '--patch')).toBe(stash);
	expect(git(root, 'config', '--default', 'none', '--get', 'core.hooksPath')).toBe('none');
	expect(existsSync(witness)).toBe(false);

	// A snapshot may be taken while it is at it, and tell of some of them before the others.
	const left = session.events('scope.left').toSorted((a, b) => (a.path < b.path ? -1 : 1));
	// Its own .git was removed at the first such look, or replaced.
	const isGit = ({path}: {readonly path: string}): boolean => path === '.git';
	expect(left.some(isGit)).toBe(true);
	expect(left.filter(one => !isGit(one)).map(({path, change}) => [path, change])).toEqual([
		['.gitattributes', 'added'],
		['docs/logs/delegation_registry.md', 'added'],
		['git push', 'refused'],
		['kept.txt', 'deleted'],
		['outside.txt', 'added'],
		['readme.md', 'modified'],
		['src/way-out', 'added'],
	]);
	const patches = left.flatMap(({patch}) => (patch?.endsWith('.patch') ? patch : []));
	const kept = [...new Set(patches)].map(path =>
		readFileSync(join(session.folder.path, path), 'utf8'),
	);
	const lines = kept.flatMap(patch => patch.split('\n'));
	expect(lines).toEqual(expect.arrayContaining(['+all is well', '+mine now']));
});
