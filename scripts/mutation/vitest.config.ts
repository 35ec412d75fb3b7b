import {defineConfig} from 'vitest/config';

/** The fast tests of what is mutated; they run once for each mutant. */
export default defineConfig({
	test: {
		include: [
			'test/git/target/move-progress.test.ts',
			'test/journal/{codec,scan}.test.ts',
			'test/rules/{clearing,conflicts,merging}.test.ts',
			'test/state/{apply-merge,git-settings,publication}.test.ts',
		],
		setupFiles: 'scripts/mutation/few-runs.ts',
		testTimeout: 60_000,
	},
});
