import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readSettings} from '../../../src/git/read-settings.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import {buildKey} from '../../../src/rules/effects/merging.ts';
import {build} from '../../../src/supervisor/perform/build.ts';
import {perform} from '../../../src/supervisor/perform.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

/** A session whose only agent's work is accepted; it has made none. */
const makeAccepted = async (...parts: Parameters<typeof makeSupervised>) => {
	const {world, state} = await makeSupervised(...parts);
	const agents = state.agents.map(agent => ({
		...agent,
		state: 'COMPLETE' as const,
		verdict: {kind: 'accepted' as const, only: []},
	}));
	return {world, state: {...state, agents}};
};

/** A conflict about `path` that was resolved by hand, for which these files were taken. */
const resolvedByHand = async (path: string, ...files: readonly string[]) => {
	const {world, state} = await makeAccepted({'readme.md': 'hello\n'});
	const entry = {mode: '100644', oid: await writeBlob(world.store, Buffer.from('by hand\n'))};
	const taken = files.map(one => ({path: one, entry}));
	const resolution = {path, a: ['AGT-001'], b: ['target'], choice: 'manual', files: taken} as const;
	return {world, state: {...state, resolutions: [resolution]}};
};

const buildByHand = async (...taken: Parameters<typeof resolvedByHand>) => {
	const {world, state} = await resolvedByHand(...taken);
	return build(world, state);
};

test('a file resolved by hand may be in nobody’s scope', async () => {
	const [built] = await buildByHand('elsewhere.txt', 'elsewhere.txt');
	expect(built).toMatchObject({kind: 'merge.built', files: 1});
	expect(built).not.toHaveProperty('surface');
});

test('the message that a person wrote is committed with the work that they wrote it of, and with no other', async () => {
	const {world, state} = await resolvedByHand('elsewhere.txt', 'elsewhere.txt');
	const messageFor = async (...agents: readonly string[]) => {
		const [built] = await build(world, {...state, message: {agents, text: 'Mine.\n'}});
		return built?.kind === 'merge.built' ? built.message : undefined;
	};
	expect(await messageFor('AGT-001')).toBe('Mine.\n');
	expect(await messageFor('AGT-001', 'AGT-002')).toContain('Merged-by: delegate-tui');
});

test('nothing but the file that the conflict is about may be', async () => {
	await expect(buildByHand('elsewhere.txt', 'elsewhere.txt', 'stray.txt')).rejects.toThrow(
		'The result would change stray.txt',
	);
});

test.each(['.claude/settings.json', 'docs/logs/today.md', '.delegate/notes'])(
	'%s, which no agent may merge, is not let through by hand either',
	async path => {
		await expect(buildByHand(path, path)).rejects.toThrow(`The result would change ${path}`);
	},
);

test('what runs by itself and what leads elsewhere is named for whoever approves the result', async () => {
	const {world, state} = await makeAccepted({'readme.md': 'hello\n', '.npmrc': 'old\n'});
	const written = async (text: string) => writeBlob(world.store, Buffer.from(text));
	const files = [
		{path: '.husky/pre-commit', entry: {mode: '100755', oid: await written('evil\n')}},
		{path: '.npmrc', entry: null},
		{path: 'link', entry: {mode: '120000', oid: await written('readme.md')}},
		{path: 'notes.md', entry: {mode: '100644', oid: await written('notes\n')}},
		{path: 'tool', entry: {mode: '100755', oid: await written('tool\n')}},
	];
	const resolutions = files.map(
		file =>
			({path: file.path, a: ['AGT-001'], b: ['target'], choice: 'manual', files: [file]}) as const,
	);
	expect(await build(world, {...state, resolutions})).toMatchObject([
		{
			kind: 'merge.built',
			files: 5,
			surface: [
				{path: '.husky/pre-commit', as: 'runs', what: 'git and its hooks'},
				{path: '.npmrc', as: 'runs', what: 'packages and scripts of Node.js'},
				{path: 'link', as: 'link', what: 'readme.md'},
				{path: 'tool', as: 'runs', what: 'made executable'},
			],
		},
	]);
});

test('work that changes nothing comes to the target as it is', async () => {
	const {world, state} = await makeAccepted({'readme.md': 'hello\n'});
	const tip = state.session?.tip;
	expect(await build(world, state)).toMatchObject([{kind: 'merge.built', commit: tip, files: 0}]);
});

test('a filter that was set up since the session began is not started, and the result that needs none says what changed', async () => {
	const {world, state} = await makeAccepted({'readme.md': 'hello\n'});
	const {root} = world.repository;
	const {session} = state;
	const begun = {
		...state,
		session: session && {...session, gitSettings: await readSettings(world.repository)},
	};
	const trace = join(temporaryFolder(), 'trace');
	git(root, 'config', 'filter.x.clean', `touch ${trace}; cat`);
	const changed = ['filter.x.clean in .git/config'];
	expect(await build(world, begun)).toMatchObject([{kind: 'merge.built', gitSettings: {changed}}]);

	const entry = {mode: '100644', oid: await writeBlob(world.store, Buffer.from('by hand\n'))};
	const files = [{path: 'new.txt', entry}];
	const byHand = {path: 'new.txt', a: ['AGT-001'], b: ['target'], choice: 'manual', files} as const;
	write(root, {'.git/info/attributes': '* filter=x\n'});
	const [held] = await build(world, {...begun, resolutions: [byHand]});
	expect(held).toMatchObject({
		kind: 'merge.blocked',
		conflicts: [],
		gitSettings: {changed: [...changed, '.git/info/attributes']},
	});
	expect(existsSync(trace)).toBe(false);

	const agreedSettings = held?.kind === 'merge.blocked' ? (held.gitSettings?.digest ?? '') : '';
	const [built] = await build(world, {...begun, resolutions: [byHand], agreedSettings});
	expect(built).toMatchObject({kind: 'merge.built', notes: [expect.stringContaining('filter x')]});
	expect(existsSync(trace)).toBe(true);
});

test('of very many files that changed some are named, and the others counted', async () => {
	const {world, state} = await makeAccepted({'readme.md': 'hello\n'});
	const {session} = state;
	const settings = {digest: 'first', parts: {}};
	const hooks = Array.from({length: 30}, (_, index) => [`.git/hooks/a${index}`, 'true\n']);
	write(world.repository.root, Object.fromEntries(hooks));
	const begun = {...state, session: session && {...session, gitSettings: settings}};
	const [built] = await build(world, begun);
	const changed = built?.kind === 'merge.built' ? (built.gitSettings?.changed ?? []) : [];
	expect(changed).toHaveLength(21);
	expect(changed.at(-1)).toMatch(/^\d+ more$/);
});

test('nothing is put up for approval while its target is checked out twice', async () => {
	const {world, state} = await makeAccepted({'readme.md': 'hello\n'});
	const second = join(temporaryFolder(), 'second');
	git(world.repository.root, 'worktree', 'add', '--quiet', '--force', second, 'main');
	await expect(build(world, state)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining(second),
		hint: expect.stringContaining('git switch --detach'),
	});
});

test('work is put together although the checkout of its start was removed', async () => {
	const {world, state} = await resolvedByHand('a.txt', 'a.txt');
	const linked = join(temporaryFolder(), 'linked');
	git(world.repository.root, 'worktree', 'add', '--quiet', '-b', 'other', linked);
	const there = {...world, repository: await openRepository(linked)};
	git(world.repository.root, 'worktree', 'remove', linked);
	await expect(build(there, state)).rejects.toThrow('There is no folder');
	const outcome = await perform(there, {key: buildKey(state), do: 'build'}, state);
	expect(outcome).toMatchObject([{kind: 'merge.built', files: 1}]);
});

test('commits that came to the target since the session began are named for whoever approves the result', async () => {
	const {world, state} = await resolvedByHand('elsewhere.txt', 'elsewhere.txt');
	const {root} = world.repository;
	expect((await build(world, state))[0]).not.toHaveProperty('moved');
	const subjects = Array.from({length: 8}, (_, index) => `Change ${index + 1}`);
	for (const subject of subjects) {
		git(root, 'commit', '--quiet', '--allow-empty', '-m', subject);
	}

	const at = (tip: string) => ({...state, session: {...requireSession(state), tip}});
	const tip = git(root, 'rev-parse', 'main');
	const [built] = await build(world, at(tip));
	expect(built).toMatchObject({
		moved: {base: state.session?.base, rewritten: false, more: 2, commits: {length: 6}},
	});
	expect(built).toHaveProperty('moved.commits.0', {
		commit: tip,
		author: git(root, 'log', '-1', '--format=%an'),
		subject: 'Change 8',
	});

	const other = git(root, 'commit-tree', '-m', 'Another start', 'HEAD^{tree}');
	expect((await build(world, at(other)))[0]).toMatchObject({
		moved: {rewritten: true, commits: [{subject: 'Another start'}]},
	});
});
