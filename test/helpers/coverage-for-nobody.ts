import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import type {TestProject} from 'vitest/node';

/** Lets all users write coverage: each test process writes into a folder of vitest's, even after it gave up root's rights. */
export default async ({globalConfig}: TestProject): Promise<void> => {
	await chmod(join(globalConfig.coverage.reportsDirectory, '.tmp'), 0o777);
};
