import {asFailure} from '../../lib/failure.ts';
import type {Containment} from '../../lib/process/containment.ts';
import type {Config} from '../config/config.ts';
import {type ConfigSource, loadConfig} from '../config/load.ts';
import {type TrustVerdict, verdictOn} from '../config/trust.ts';
import type {Here} from '../here.ts';
import {problemText} from '../plan/read-plan.ts';

/** Checks whether the config can be used. */
export const checkConfig: Check = async context => {
	const config = await configFor(context);
	if (config.kind === 'unusable') {
		return config.problems.map(text => ({
			level: 'bad',
			text,
			hint: 'correct the file, or move it away to use the defaults',
		}));
	}

	const {asked, verdict} = config;
	if (asked.length > 0 && verdict === undefined) {
		return [
			{
				level: 'warn',
				text: `.delegate-tui.yaml waits for your yes: ${asked.join(', ')}`,
				hint: 'delegate-tui trust shows it, and asks you',
			},
		];
	}

	const files = config.sources.map(({file}) => file);
	return [
		{
			level: 'good',
			text: `${files.length === 0 ? 'none, so the defaults apply' : files.join(', over ')}${verdict === 'no' ? `, without ${asked.join(', ')} by your no` : ''}`,
		},
	];
};

/** The effective settings, or the reasons why there are none. */
export type ConfigHere =
	| {
			readonly kind: 'read';
			readonly config: Config;
			readonly sources: readonly ConfigSource[];
			/** Keys that need the person's yes, and the verdict. */
			readonly asked: readonly string[];
			readonly verdict: TrustVerdict | undefined;
	  }
	| {readonly kind: 'unusable'; readonly problems: readonly string[]};

/** Reads the config like other commands; outside of a repository, that of the current folder. */
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

/** Input of the checks. */
export type CheckContext = {
	/** The repository and its state; absent outside of a repository. */
	readonly here: Here | undefined;
	readonly environment: NodeJS.ProcessEnv;
	readonly containment: Containment;
};

export type CheckFinding = {
	/** Name in place of that of its check. */
	readonly check?: string;
	/** `bad` keeps the program from working, `warn` does not, and an `absent` part is optional. */
	readonly level: 'good' | 'absent' | 'warn' | 'bad';
	readonly text: string;
	/** Advice for a person. */
	readonly hint?: string;
	/** The finding's data for programs, if there are several facts. */
	readonly facts?: Readonly<Record<string, string | boolean | null>>;
};

export type DoctorFinding = CheckFinding & {readonly check: string};

/** Checks one thing; changes nothing. */
export type Check = (context: CheckContext) => Promise<readonly CheckFinding[]>;
