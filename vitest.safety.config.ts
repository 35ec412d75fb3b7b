import {defineConfig} from 'vitest/config';

/** The suite behind `npm run test:safety`; see `scripts/safety.ts`. */
export default defineConfig({
	test: {
		include: ['test/**/*.safety.ts'],
		globalSetup: 'test/helpers/build.ts',
		testTimeout: 60 * 60_000,
		hookTimeout: 60_000,
		// Within a second, as is the default, a busy machine may not even have started what is waited for.
		expect: {poll: {timeout: 20_000}},
		// Where nobody sits before it, on a slow and shared machine, what failed is tried once more; vitest tells of it.
		retry: process.env.CI === undefined ? 0 : 1,
		pool: 'forks',
		// They wait for processes and disks much of their time, so more of them than cores can run at once.
		maxWorkers: 3,
	},
});
