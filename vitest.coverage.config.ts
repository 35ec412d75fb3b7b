import {defineConfig} from 'vitest/config';

/** What every promise not to lose work rests on: the journal, git, and what a restart does first. */
const measured = [
	'src/journal/*.ts',
	'src/git/{sealed,user,result}.ts',
	'src/git/{snapshot,stage-tree}.ts',
	'src/git/{publish,take-back,reversal,move-target,move-checkout}.ts',
	'src/git/{cut-off,leftover,leftover-verdict,stale-locks,at-work}.ts',
	'src/supervisor/{probe,perform/publish}.ts',
];

/**
Every branch of that must be taken by a test in this process: `npm run test:coverage`.

What runs in processes of its own (stories, the safety suite) is not counted.
*/
export default defineConfig({
	test: {
		include: [
			'test/journal/**/*.test.ts',
			'test/git/**/*.{test,safety}.ts',
			'test/supervisor/{probe,probe-survivors,publish}.test.ts',
		],
		// It kills at chosen moments, and takes no branch that others don't.
		exclude: ['test/git/kill-points.safety.ts'],
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
