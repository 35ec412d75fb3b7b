import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Resolution} from '../../../src/state/merge/merge.ts';
import type {State} from '../../../src/state/state.ts';
import {seeSettings} from '../../../src/supervisor/merging/git-settings.ts';
import {build} from '../../../src/supervisor/perform/build.ts';
import {requireSession, type World} from '../../../src/supervisor/world.ts';
import {git, temporaryFolder} from '../../helpers/repository.ts';
import {acceptedWork} from '../collided-world.ts';

/** Builds the work of agents as a commit for each, and returns what came of it with the files of each commit. */
const divided = async (world: World, state: State) => {
	const session = requireSession(state);
	const settings = {...session.settings, merge: 'per-agent'} as const;
	const told = await build(world, {...state, session: {...session, settings}});
	const built = told.find(({kind}) => kind === 'merge.built');
	if (built?.kind !== 'merge.built') {
		throw new Error(`nothing was built: ${JSON.stringify(told)}`);
	}

	const {gitDir} = world.store;
	const commits = built.commits ?? [{commit: built.commit, message: built.message ?? ''}];
	const files = commits.map(({commit}) => {
		const names = git(gitDir, 'ls-tree', '-r', '--name-only', commit, 'src/').split('\n');
		return names.map(name => `${name}: ${git(gitDir, 'cat-file', 'blob', `${commit}:${name}`)}`);
	});
	return {built, files, messages: commits.map(({message}) => message)};
};

/** The settings of the person's git as they are now are known to them. */
const knowing = async (world: World, state: State): Promise<State> => {
	const {digest} = await seeSettings(world, state);
	return {...state, agreedSettings: digest};
};

test('no commit holds what a person decided against: who shares a decision shares a commit', async () => {
	const {world, state} = await acceptedWork(
		{'src/key.txt': 'none\n'},
		{},
		{'src/key.txt': 'leaked\n', 'src/one.txt': '1\n'},
		{'src/key.txt': 'asked for\n'},
		{'src/three.txt': '3\n'},
	);
	const decided: Resolution = {
		...{path: 'src/key.txt', a: ['AGT-001'], b: ['AGT-002']},
		...{choice: 'choose-one', winner: ['AGT-002']},
	};
	const {files, messages} = await divided(world, {...state, resolutions: [decided]});
	expect(files).toEqual([
		['src/key.txt: asked for', 'src/one.txt: 1'],
		['src/key.txt: asked for', 'src/one.txt: 1', 'src/three.txt: 3'],
	]);
	expect(messages[0]).toContain('Part of AGT-001; Part of AGT-002\n');
});

test('a person’s filter that changed starts for no part of a result either', async () => {
	const {world, state} = await acceptedWork(
		{'.gitattributes': '*.bin filter=count\n', 'src/old.txt': 'old\n'},
		{},
		{'src/made.bin': 'made\n'},
		{'src/two.txt': '2\n'},
	);
	const canary = join(temporaryFolder(), 'ran');
	git(world.repository.root, 'config', 'filter.count.clean', `touch ${canary}; cat`);
	// The second agent stands on the first one's work, and removes what that made.
	const [first, second] = state.agents;
	const [work] = first?.snapshots ?? [];
	const onTop = second?.snapshots.map(one => ({
		...one,
		startingPoint: {...one.startingPoint, base: work?.work ?? '', onto: ['AGT-001']},
	}));
	const agents = state.agents.map(agent =>
		agent === second ? {...agent, snapshots: onTop ?? []} : agent,
	);
	const {files} = await divided(world, {...state, agents});
	expect(existsSync(canary)).toBe(false);
	expect(files).toEqual([['src/old.txt: old', 'src/two.txt: 2']]);
	const known = await divided(world, await knowing(world, {...state, agents}));
	expect(existsSync(canary)).toBe(true);
	expect(known.files[0]).toEqual(['src/made.bin: made', 'src/old.txt: old']);
});
