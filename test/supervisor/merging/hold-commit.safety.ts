import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readSettings} from '../../../src/git/read-settings.ts';
import type {State} from '../../../src/state/state.ts';
import {build} from '../../../src/supervisor/perform/build.ts';
import {publish} from '../../../src/supervisor/perform/publish.ts';
import {restore} from '../../../src/supervisor/perform/restore.ts';
import {rework} from '../../../src/supervisor/perform/rework.ts';
import {capture} from '../../../src/supervisor/worktree/capture.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {collect, missing, passing} from '../../helpers/passing.ts';
import {commitAll, git, write} from '../../helpers/repository.ts';
import {makeAtWork} from '../at-work.ts';

const makePinned = async (files: Parameters<typeof makeAtWork>[0]) => {
	const atWork = await makeAtWork(files);
	const {root} = atWork.world.repository;
	const {base} = requireSession(atWork.state());
	git(root, 'update-ref', `refs/delegate/${atWork.world.session}/base`, base);
	const {world, agent, believe} = atWork;
	return {
		...{...atWork, root, base, gitDir: world.store.gitDir},
		take: async () => believe(...(await capture(world, agent(), 'a test'))),
		/** What the session names and can't be read. */
		lost: () => {
			const {workspace, snapshots} = agent();
			const baseline = workspace.phase === 'ready' ? [workspace.baseline, workspace.base] : [];
			const named = snapshots.flatMap(({commit, work}) => [commit, work]);
			return missing(world.store.gitDir, ...baseline, ...named);
		},
	};
};

test('work that was put on a commit can be gone on with when that one is amended away', async () => {
	const pinned = await makePinned({'src/a.txt': 'a\n', 'src/sub/b.txt': 'b\n'});
	const {world, state, agent, believe, tree, root, base, take, lost} = pinned;
	write(tree, {'src/a.txt': 'own\n'});
	await take();
	write(root, {'src/sub/mine.txt': 'mine\n', 'lib/deep/mine.txt': 'mine, too\n'});
	const tip = commitAll(root);
	believe({kind: 'target.moved', from: base, to: tip});
	await rework(world, state(), agent(), []);
	git(root, 'reset', '--quiet', '--hard', base);
	collect(root);
	expect(() => git(root, 'cat-file', '-e', tip)).toThrow();
	expect(lost()).toEqual([]);
	write(tree, {'src/a.txt': 'own again\n'});
	await take();
	believe(...(await restore(world, state(), agent(), 1)));
	expect(readFileSync(join(tree, 'src/a.txt'), 'utf8')).toBe('own\n');
	expect(lost()).toEqual([]);
});

test('work that is cut out of a snapshot is whole though its folders are those that somebody else had', async () => {
	const {tree, root, take, lost} = await makePinned({'src/a.txt': 'a\n', 'docs/b.txt': 'b\n'});
	passing(root, {'src/a.txt': 'own\n'});
	write(tree, {'src/a.txt': 'own\n', 'docs/b.txt': 'out of scope\n'});
	await take();
	collect(root);
	expect(lost()).toEqual([]);
});

test('what a filter of the person’s made of a result lands, whatever they collect before they approve', async () => {
	const pinned = await makePinned({
		...{'.gitattributes': '*.up filter=up\n', 'src/x.up': 'HELLO\n'},
	});
	const {world, state, agent, tree, root, base, gitDir, take} = pinned;
	git(root, 'config', 'filter.up.clean', 'tr a-z A-Z');
	git(root, 'config', 'filter.up.smudge', 'tr A-Z a-z');
	git(root, 'checkout', '--quiet', '--', '.');
	write(tree, {'src/y.up': 'made\n'});
	await take();
	const accepted: State = {
		...state(),
		agents: [{...agent(), state: 'COMPLETE', verdict: {kind: 'accepted', only: []}}],
		// The filter came after the session began; a person has agreed to it since.
		agreedSettings: (await readSettings(world.repository)).digest,
	};
	const [body] = await build(world, accepted);
	if (body?.kind !== 'merge.built') {
		throw new Error('Nothing was built.');
	}

	expect(body.files).toBe(1);
	collect(root);
	const {commit} = body;
	expect(missing(gitDir, commit)).toEqual([]);
	const merge: State['merge'] = {
		...{phase: 'intended', built: body, approval: 'a-1', since: world.now()},
		verified: {ok: true, commands: [], log: null},
	};
	const key = {do: 'publish', commit, approval: 'a-1'} as const;
	const effect = {key, do: 'publish', commit, from: base} as const;
	const approved = {...world, state: () => ({...accepted, merge})};
	expect(await publish(approved, effect)).toMatchObject([{kind: 'merge.published', commit}]);
	expect(git(root, 'show', 'HEAD:src/y.up')).toBe('MADE');
});
