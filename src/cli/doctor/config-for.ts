import {asFailure} from '../../lib/failure.ts';
import type {Config} from '../config/config.ts';
import {type ConfigSource, loadConfig} from '../config/load.ts';
import {type Verdict, verdictOn} from '../config/trust.ts';
import {problemText} from '../plan/read-plan.ts';
import type {CheckContext} from './check.ts';

/** The settings in force here, or why there are none. */
export type ConfigHere =
	| {
			readonly kind: 'read';
			readonly config: Config;
			readonly sources: readonly ConfigSource[];
			/** The keys that need the person's yes, and what they said. */
			readonly asked: readonly string[];
			readonly verdict: Verdict | undefined;
	  }
	| {readonly kind: 'unusable'; readonly problems: readonly string[]};

/** Reads the config as commands do; outside of a repository, that of the folder stood in. */
export const configFor = async ({here}: Pick<CheckContext, 'here'>): Promise<ConfigHere> => {
	try {
		const loaded = await loadConfig(here?.repository.root ?? process.cwd());
		if (loaded.config === undefined) {
			return {kind: 'unusable', problems: loaded.problems.map(problemText)};
		}

		const {config, restricted, asked, sources} = loaded;
		const verdict = here && (await verdictOn(here, asked));
		return {
			kind: 'read',
			config: asked.length === 0 || verdict === 'yes' ? config : restricted,
			sources,
			asked: asked.map(({path}) => path),
			verdict,
		};
	} catch (error) {
		return {kind: 'unusable', problems: [asFailure(error).message]};
	}
};
