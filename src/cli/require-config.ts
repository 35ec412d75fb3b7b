import {Failure} from '../lib/failure.ts';
import type {Config} from './config/config.ts';
import {loadConfig} from './config/load.ts';
import {problemText} from './plan/read-plan.ts';

/** Returns the settings in force; fails with every mistake in the config files. */
export const requireConfig = async (root: string): Promise<Config> => {
	const loaded = await loadConfig(root);
	if (loaded.config === undefined) {
		throw new Failure(
			'usage',
			['The config can’t be used.', ...loaded.problems.map(problemText)].join('\n'),
			{hint: 'correct the file, or move it away to use the defaults'},
		);
	}

	return loaded.config;
};
