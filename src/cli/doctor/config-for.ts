import {asFailure} from '../../lib/failure.ts';
import type {Config} from '../config/config.ts';
import {type ConfigSource, loadConfig} from '../config/load.ts';
import {problemText} from '../plan/read-plan.ts';
import type {CheckContext} from './check.ts';

/** The settings in force here, or why there are none. */
export type ConfigHere =
	| {readonly kind: 'read'; readonly config: Config; readonly sources: readonly ConfigSource[]}
	| {readonly kind: 'unusable'; readonly problems: readonly string[]};

/** Reads the config as commands do; outside of a repository, that of the folder stood in. */
export const configFor = async ({here}: Pick<CheckContext, 'here'>): Promise<ConfigHere> => {
	try {
		const loaded = await loadConfig(here?.repository.root ?? process.cwd());
		return loaded.config === undefined
			? {kind: 'unusable', problems: loaded.problems.map(problemText)}
			: {kind: 'read', config: loaded.config, sources: loaded.sources};
	} catch (error) {
		return {kind: 'unusable', problems: [asFailure(error).message]};
	}
};
