import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts'],
		globalSetup: 'test/helpers/build.ts',
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// Within a second, as is the default, a busy machine may not even have started what is waited for.
		expect: {poll: {timeout: 20_000}},
		// Where nobody sits before it, on a slow and shared machine, what failed is tried once more; vitest tells of it.
		retry: process.env.CI === undefined ? 0 : 1,
		pool: 'forks',
		// Stories wait for processes most of their time, so more of them than cores can run at once.
		maxWorkers: 3,
	},
});
