import {defineConfig} from 'vitest/config';

/** The properties of the parser, tried for as long as it takes; see `scripts/fuzz.ts`. */
export default defineConfig({
	test: {
		include: ['test/signals/properties.test.ts'],
		testTimeout: 10 * 60_000,
	},
});
