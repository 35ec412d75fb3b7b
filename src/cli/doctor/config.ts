import {asFailure} from '../../lib/failure.ts';
import type {Containment} from '../../lib/process/containment.ts';
import type {Config} from '../config/config.ts';
import {type ConfigSource, loadConfig} from '../config/load.ts';
import {type TrustVerdict, verdictOn} from '../config/trust.ts';
import type {Here} from '../here.ts';
import {problemText} from '../plan/read-plan.ts';

/** Can the config be used? */
export const checkConfig: Check = async context => {
	const config = await configFor(context);
	if (config.kind === 'unusable') {
		return config.problems.map(text => ({
			check: 'config',
			level: 'bad',
			text,
			hint: 'correct the file, or move it away to use the defaults',
		}));
	}

	const {asked, verdict} = config;
	if (asked.length > 0 && verdict === undefined) {
		return [
			{
				check: 'config',
				level: 'warn',
				text: `.delegate-tui.yaml waits for your yes: ${asked.join(', ')}`,
				hint: 'delegate-tui trust shows it, and asks you',
			},
		];
	}

	const files = config.sources.map(({file}) => file);
	return [
		{
			check: 'config',
			level: 'good',
			text: `${files.length === 0 ? 'none, so the defaults apply' : files.join(', over ')}${verdict === 'no' ? `, without ${asked.join(', ')} by your no` : ''}`,
		},
	];
};

/** The settings in force here, or why there are none. */
export type ConfigHere =
	| {
			readonly kind: 'read';
			readonly config: Config;
			readonly sources: readonly ConfigSource[];
			/** The keys that need the person's yes, and what they said. */
			readonly asked: readonly string[];
			readonly verdict: TrustVerdict | undefined;
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

/** What the doctor looks at. */
export type CheckContext = {
	/** The repository and its state; nothing outside of a repository. */
	readonly here: Here | undefined;
	readonly environment: NodeJS.ProcessEnv;
	readonly containment: Containment;
};

/** One thing that was found, good or not. */
export type DoctorFinding = {
	readonly check: string;
	/** `bad` keeps the program from working, `warn` does not, and what is `absent` need not be there. */
	readonly level: 'good' | 'absent' | 'warn' | 'bad';
	readonly text: string;
	/** What a person can do about it. */
	readonly hint?: string;
	/** The same for programs, where there is more than one thing to tell. */
	readonly facts?: Readonly<Record<string, string | boolean | null>>;
};

/** Looks at one thing; nothing that is there is changed. */
export type Check = (context: CheckContext) => Promise<readonly DoctorFinding[]>;
