import {defineConfig} from 'vitest/config';

/** Code on which every promise not to lose work rests: whole folders, so that a new file is included automatically. */
const measured = [
	'src/journal/**/*.ts',
	// Ways to start git, snapshots, the person's branch.
	'src/git/**/*.ts',
	// Ownership of worktrees, ended sessions, undo, the parts of a merge, the machine.
	'src/supervisor/{machine,merging,past,undo,worktree}/**/*.ts',
	// Recovery.
	'src/supervisor/{supervise,start-session,session,loop,probe,world}.ts',
	// Effects on work; the others talk to agents.
	'src/supervisor/perform/{build,clear-up,prepare,publish,restore,rework,snapshot,start/ready-to-go-on,verify}.ts',
	// Rules about all that.
	'src/rules/effects/{clearing,merging,undo}.ts',
	'src/state/apply/{apply-clock,apply-publication,apply-merge}.ts',
	'src/state/merge/{git-settings,void-merge}.ts',
];

/**
A test in this process must take every branch of that code: `npm run test:coverage`.

Code that runs in other processes (stories, the safety suite) is not counted.
*/
export default defineConfig({
	test: {
		include: [
			'test/{journal,git,supervisor}/**/*.{test,safety}.ts',
			'test/state/{apply-clock,apply-merge,git-settings,publication}.test.ts',
			'test/rules/{clearing,merging}.test.ts',
			// Only the doctor looks for work that no snapshot contains.
			'test/cli/doctor/clean.safety.ts',
		],
		// They kill and retry for long, and take no branch that others don't.
		exclude: ['test/supervisor/{crash,walk,process-zoo}.test.ts'],
		globalSetup: ['test/helpers/build.ts', 'test/helpers/coverage-for-nobody.ts'],
		testTimeout: 240_000,
		hookTimeout: 60_000,
		// Within the default of a second, a busy machine may not even have started.
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
