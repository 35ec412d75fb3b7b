import {defineConfig} from 'vitest/config';

/** Within a second, as is the default, a busy machine may not even have started what is waited for. */
const expect = {poll: {timeout: 60_000}};

/** What all tests share that start programs. */
const withPrograms = {
	globalSetup: 'test/helpers/build.ts',
	// Limits end what hangs, and nothing else: each is more than a machine ten times slower needs.
	hookTimeout: 240_000,
	expect,
	pool: 'forks',
	// They wait for processes and disks most of their time, so more of them than cores can run at once.
	maxWorkers: 4,
} as const;

/** Rooms that hold nothing between two calls, so that their tests can share a process, and what it has loaded. */
const shared = ['test/{client,fixtures,rules,scripts,signals,state,tui}/**/*.test.ts'];

/** `npm test` runs `check` and `check-shared`; the others are behind `npm run test:safety` and `npm run test:fuzz`. */
export default defineConfig({
	test: {
		projects: [
			{
				test: {
					name: 'check',
					include: ['test/**/*.test.ts'],
					exclude: shared,
					testTimeout: 240_000,
					...withPrograms,
				},
			},
			{
				test: {
					name: 'check-shared',
					include: shared,
					testTimeout: 240_000,
					isolate: false,
					...withPrograms,
				},
			},
			{
				test: {
					name: 'safety',
					include: ['test/**/*.safety.ts'],
					testTimeout: 60 * 60_000,
					...withPrograms,
					// They start more processes each, and some of them watch the clock.
					maxWorkers: 3,
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
