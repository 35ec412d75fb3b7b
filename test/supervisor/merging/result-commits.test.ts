import {chmodSync, existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Subtask} from '../../../src/events/plan.ts';
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
	const plan = {...session.plan, merge: 'per-agent'} as const;
	const told = await build(world, {...state, session: {...session, plan}});
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

const withSubtask = (state: State, id: string, change: Partial<Subtask>): State => ({
	...state,
	agents: state.agents.map(agent =>
		agent.id === id ? {...agent, subtask: {...agent.subtask, ...change}} : agent,
	),
});

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

test('the subject of a commit is a line that git’s readers show whole, and its body says all of the subtask', async () => {
	const {world, state} = await acceptedWork(
		{'src/old.txt': 'old\n'},
		{},
		{'src/one.txt': '1\n'},
		{'src/two.txt': '2\n'},
	);
	const long = `Answer each of the requests ${'that are too many '.repeat(5)}with 429`;
	const told = withSubtask(
		withSubtask(state, 'AGT-001', {subtask: `${long}\nand say when to try again`}),
		'AGT-002',
		{goal: 'a request beyond the limit is refused'},
	);
	const {messages} = await divided(world, told);
	const [subject = '', ...body] = messages[0]?.split('\n') ?? [];
	expect(subject.length).toBeLessThanOrEqual(72);
	expect(subject).toMatch(/^Answer each of the requests that are too many .*…$/);
	expect(body).toContain(`- AGT-001: ${long} and say when to try again`);
	expect(messages[1]).toContain(
		'- AGT-002: Part of AGT-002; goal: a request beyond the limit is refused\n',
	);
});

test('that one of the commits is not signed is told, whichever it is', async () => {
	const {world, state} = await acceptedWork(
		{'src/old.txt': 'old\n'},
		{},
		{'src/one.txt': '1\n'},
		{'src/two.txt': '2\n'},
	);
	const {root} = world.repository;
	const program = join(temporaryFolder(), 'signs.sh');
	writeFileSync(
		program,
		'#!/bin/sh\nif grep -q "^Part of AGT-001"; then echo "no card" >&2; exit 1; fi\n' +
			'echo "[GNUPG:] SIG_CREATED " >&2\necho signature\n',
	);
	chmodSync(program, 0o755);
	git(root, 'config', 'gpg.program', program);
	git(root, 'config', 'user.signingKey', 'key');
	git(root, 'config', 'commit.gpgSign', 'true');
	const {built} = await divided(world, await knowing(world, state));
	const {gitDir} = world.store;
	const signed = built.commits?.map(({commit}) =>
		git(gitDir, 'cat-file', 'commit', commit).includes('gpgsig signature'),
	);
	expect(signed).toEqual([false, true]);
	expect(built.unsigned).toContain('failed to sign');
});
