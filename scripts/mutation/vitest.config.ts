import {defineConfig} from 'vitest/config';

/** Fast tests of the mutated code; those that reach a mutant's place run for it. */
export default defineConfig({
	test: {
		include: [
			'test/journal/{codec,scan}.test.ts',
			'test/rules/{approval-outcome,arbiter,breakage,checking,clearing,conflicts,end}.test.ts',
			'test/rules/{inbox,merging,merging-early,notices,retries,rivals,steering,why-not}.test.ts',
			'test/state/{apply-decision,apply-merge,attribution,git-settings,publication}.test.ts',
		],
		setupFiles: 'scripts/mutation/few-runs.ts',
		testTimeout: 60_000,
	},
});
