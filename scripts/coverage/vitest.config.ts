import {defineConfig} from 'vitest/config';

/** What every promise not to lose work rests on: whole rooms, so that a new file of theirs is in by itself. */
const measured = [
	'src/journal/**/*.ts',
	// The ways to start git, snapshots, the person's branch.
	'src/git/**/*.ts',
	// Whose worktree it is, sessions that are over, undo, what a merge is made of, the machine below.
	'src/supervisor/{machine,merging,past,undo,worktree}/**/*.ts',
	// Recovery.
	'src/supervisor/{supervise,start-session,session,loop,probe,world}.ts',
	// Effects on work; the others talk to agents.
	'src/supervisor/perform/{build,clear-up,prepare,publish,restore,rework,snapshot,start/ready-to-go-on,verify}.ts',
	// What is decided of all that.
	'src/rules/effects/{clearing,merging,undo}.ts',
	'src/state/apply/{apply-clock,apply-publication,apply-merge}.ts',
	'src/state/merge/{git-settings,void-merge}.ts',
];

/**
Every branch of that must be taken by a test in this process: `npm run test:coverage`.

What runs in processes of its own (stories, the safety suite) is not counted.
*/
export default defineConfig({
	test: {
		include: [
			'test/{journal,git,supervisor}/**/*.{test,safety}.ts',
			'test/state/{apply-clock,apply-merge,git-settings,publication}.test.ts',
			'test/rules/{clearing,merging}.test.ts',
			// Only the doctor looks for work that no snapshot holds.
			'test/cli/doctor/clean.safety.ts',
		],
		// They kill and try at length, and take no branch that others don't.
		exclude: ['test/supervisor/{crash,walk,process-zoo}.test.ts'],
		globalSetup: ['test/helpers/build.ts', 'test/helpers/coverage-for-nobody.ts'],
		testTimeout: 240_000,
		hookTimeout: 60_000,
		// Within a second, as is the default, a busy machine may not even have started what is waited for.
		expect: {poll: {timeout: 20_000}},
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
