import {Failure} from '../lib/failure.ts';
import type {Config} from './config/config.ts';
import {type LoadedConfig, loadConfig} from './config/load.ts';
import {askedLines, keepVerdict, settingsDigest, verdictOn} from './config/trust.ts';
import type {AskedSetting} from './config/trust-rules.ts';
import type {Here} from './here.ts';
import {print, printAside} from './output.ts';
import {problemText} from './plan/read-plan.ts';
import {isAtTerminal, saysYes} from './questions.ts';

type SoundConfig = Exclude<LoadedConfig, {readonly config?: undefined}>;

/** Returns the whole config, for callers that neither start nor open anything with it; throws all its errors. */
export const readConfig = async (root: string): Promise<SoundConfig> => {
	const loaded = await loadConfig(root);
	if (loaded.config === undefined) {
		throw new Failure(
			'usage',
			['The config can’t be used.', ...loaded.problems.map(problemText)].join('\n'),
			{hint: 'correct the file, or move it away to use the defaults'},
		);
	}

	return loaded;
};

/**
Returns the effective settings. Those that the repository's config may not set by itself need the person's yes to exactly them.

@throws `Failure` of kind `refused` with those settings in full if the person has given no verdict.
*/
export const requireConfig = async (here: Here): Promise<Config> =>
	inForce(here, await readConfig(here.repository.root));

const inForce = async (here: Here, {config, restricted, asked}: SoundConfig): Promise<Config> => {
	if (asked.length === 0) {
		return config;
	}

	switch (await verdictOn(here, asked)) {
		case 'yes':
			return config;
		case 'no':
			return restricted;
		case undefined:
			throw new Failure('refused', [unsaid, ...askedLines(asked)].join('\n'), {
				hint: `delegate-tui trust asks you; without a terminal: delegate-tui trust --yes ${settingsDigest(asked)}, or --no to use your own config alone`,
			});
	}
};

/** Returns the effective settings as well, but first asks the person at a terminal: before a command shows or starts anything. */
export const settleConfig = async (here: Here, {json}: {json?: boolean} = {}): Promise<Config> => {
	const read = await readConfig(here.repository.root);
	const {asked} = read;
	if (asked.length > 0) {
		const verdict = await verdictOn(here, asked);
		if (verdict === undefined && isAtTerminal() && !json) {
			await askForVerdict(here, asked);
		}

		if (verdict === 'no') {
			printAside(leftOut(asked));
		}
	}

	return inForce(here, read);
};

/** Shows the settings, and stores the person's verdict. */
export const askForVerdict = async (here: Here, asked: readonly AskedSetting[]): Promise<void> => {
	print([unsaid, ...askedLines(asked), ''].join('\n'));
	const isYes = await saysYes('Allow this? Without your yes, only your own config holds here.');
	await keepVerdict(here, asked, isYes ? 'yes' : 'no');
	if (!isYes) {
		print(leftOut(asked));
	}
};

const unsaid = 'The .delegate-tui.yaml of this repository has settings that need your yes:';

const leftOut = (asked: readonly AskedSetting[]): string =>
	`Left out of .delegate-tui.yaml by your no: ${asked.map(({path}) => path).join(', ')}. To change that: delegate-tui trust`;
