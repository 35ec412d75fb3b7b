import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		globalSetup: 'test/helpers/build.ts',
		testTimeout: 60_000,
		hookTimeout: 60_000,
		pool: 'forks',
		// Stories wait for processes most of their time, so more of them than cores can run at once.
		maxWorkers: 3,
	},
});
