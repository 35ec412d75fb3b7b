import {defineConfig} from 'vitest/config';

/** What all tests share that start programs. */
const withPrograms = {
	globalSetup: 'test/helpers/build.ts',
	hookTimeout: 60_000,
	// Within a second, as is the default, a busy machine may not even have started what is waited for.
	expect: {poll: {timeout: 20_000}},
	// Where nobody sits before it, on a slow and shared machine, what failed is tried once more; vitest tells of it.
	retry: process.env.CI === undefined ? 0 : 1,
	pool: 'forks',
	// They wait for processes and disks most of their time, so more of them than cores can run at once.
	maxWorkers: 3,
} as const;

/** `npm test` runs `check`; the others are behind `npm run test:safety` and `npm run test:fuzz`. */
export default defineConfig({
	test: {
		projects: [
			{
				test: {
					name: 'check',
					include: ['test/**/*.test.ts'],
					testTimeout: 60_000,
					...withPrograms,
				},
			},
			{
				test: {
					name: 'safety',
					include: ['test/**/*.safety.ts'],
					testTimeout: 60 * 60_000,
					...withPrograms,
				},
			},
			{
				test: {
					name: 'fuzz',
					include: ['test/signals/properties.test.ts'],
					testTimeout: 10 * 60_000,
				},
			},
		],
	},
});
