import {defineConfig} from 'vitest/config';

/** What every promise not to lose work rests on. */
const measured = [
	// The journal, and who opens, reads and gives up a session's.
	'src/journal/*.ts',
	'src/supervisor/{open-journal,require-event,read-session,last-session,set-aside}.ts',
	// The two ways to start git.
	'src/git/{sealed,user,result}.ts',
	// Snapshots: what is taken, kept, put back and laid out again.
	'src/git/{snapshot,new-objects,raw-bytes,stage-tree,worktree-tree,worktree-listing,uncapturable,copy-index}.ts',
	'src/git/{open-worktree,store,own-ref,put-back,disk-path,nul,linked-tree}.ts',
	'src/supervisor/{capture,judge,watch,world}.ts',
	'src/supervisor/perform/{snapshot,restore,rework,prepare}.ts',
	// Publication and undo.
	'src/git/{publish,take-back,reversal,move-target,move-checkout,move-ignored,obstacle}.ts',
	'src/rules/{merging,undo}.ts',
	'src/state/{apply-merge,apply-landing}.ts',
	'src/supervisor/perform/{build,publish}.ts',
	'src/supervisor/{undo,undo-offer,answer-undo,ended-session,last-merged}.ts',
	// Recovery.
	'src/git/{cut-off,leftover,leftover-verdict,stale-locks,at-work,touched-since,base-ref}.ts',
	'src/supervisor/{supervise,start-session,session,loop,probe,survivors,remove-beginnings}.ts',
	'src/supervisor/{rebuild,change-worktree,held-tree,unfinished,discard}.ts',
];

/**
Every branch of that must be taken by a test in this process: `npm run test:coverage`.

What runs in processes of its own (stories, the safety suite) is not counted.
*/
export default defineConfig({
	test: {
		include: [
			'test/{journal,git,supervisor}/**/*.{test,safety}.ts',
			'test/state/{apply-merge,landing}.test.ts',
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
