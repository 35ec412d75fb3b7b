import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import type {TestProject} from 'vitest/node';

/** Each process of tests writes what it covered into a folder of vitest's; one that gave up root's rights must be able to as well. */
export default async ({globalConfig}: TestProject): Promise<void> => {
	await chmod(join(globalConfig.coverage.reportsDirectory, '.tmp'), 0o777);
};
