import {defineConfig} from 'vitest/config';

/** What every promise not to lose work rests on. */
const measured = [
	// The journal, and who opens, reads and gives up a session's.
	'src/journal/*.ts',
	'src/supervisor/past/*.ts',
	// The two ways to start git.
	'src/git/{sealed,user,result}.ts',
	// Snapshots: what is taken, kept, put back and laid out again.
	'src/git/worktree/{snapshot,new-objects,raw-bytes,stage-tree,worktree-tree,worktree-listing,uncapturable}.ts',
	'src/git/worktree/{open-worktree,put-back,move-ignored}.ts',
	'src/git/{copy-index,store,own-ref,disk-path,nul,linked-tree}.ts',
	'src/supervisor/worktree/{capture,judge,watch}.ts',
	'src/supervisor/world.ts',
	'src/supervisor/perform/{snapshot,restore,rework,prepare}.ts',
	// Publication and undo.
	'src/git/target/{publish,take-back,reversal,move-target,move-checkout,obstacle}.ts',
	'src/rules/{merging,undo}.ts',
	'src/state/{apply-merge,apply-landing}.ts',
	'src/supervisor/perform/{build,publish}.ts',
	'src/supervisor/undo/*.ts',
	// Recovery.
	'src/git/target/{cut-off,leftover,leftover-verdict,stale-locks,touched-since}.ts',
	'src/git/{at-work,base-ref}.ts',
	'src/supervisor/{supervise,start-session,session,loop,probe}.ts',
	'src/supervisor/machine/{survivors,what-is-missing}.ts',
	'src/supervisor/worktree/{rebuild,change-worktree,held-tree,unfinished,discard}.ts',
];

/**
Every branch of that must be taken by a test in this process: `npm run test:coverage`.

What runs in processes of its own (stories, the safety suite) is not counted.
*/
export default defineConfig({
	test: {
		include: [
			'test/{journal,git,supervisor}/**/*.{test,safety}.ts',
			'test/state/{apply-merge,git-settings,landing}.test.ts',
			'test/rules/merging.test.ts',
		],
		// They kill and try at length, and take no branch that others don't.
		exclude: ['test/git/kill-points.safety.ts', 'test/supervisor/{crash,walk,process-zoo}.test.ts'],
		globalSetup: 'test/helpers/build.ts',
		testTimeout: 240_000,
		hookTimeout: 60_000,
		pool: 'forks',
		maxWorkers: 2,
		coverage: {
			enabled: true,
			provider: 'v8',
			include: measured,
			reporter: 'text',
			reportsDirectory: 'node_modules/.coverage',
			thresholds: {branches: 100},
		},
	},
});
