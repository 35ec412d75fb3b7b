import type {Command} from 'commander';
import {exitCodes, Failure} from '../../lib/failure.ts';
import {
	askedLines,
	keepVerdict,
	settingsDigest,
	type TrustVerdict,
	verdictOn,
} from '../config/trust.ts';
import {findHere} from '../here.ts';
import {printAs} from '../output.ts';
import {isAtTerminal} from '../questions.ts';
import {askForVerdict, readConfig} from '../require-config.ts';

type Options = {readonly yes?: string | true; readonly no?: true; readonly json?: true};

/** Adds the command `trust`: the person's verdict on settings that a repository's config may not set by itself. */
export const addTrust = (program: Command): void => {
	program
		.command('trust')
		.description('say whether the config of this repository may start and open things')
		.option('--yes [digest]', 'yes; with a digest, only to the settings that it stands for')
		.option('--no', 'no: only your own config holds here')
		.option('--json', 'as JSON')
		.action(async (options: Options) => {
			const here = await findHere();
			const {asked} = await readConfig(here.repository.root);
			const digest = settingsDigest(asked);
			requireFlags(options, digest);
			const {yes, no, json} = options;
			const verdict: TrustVerdict | undefined = yes ? 'yes' : no && 'no';
			if (asked.length > 0 && verdict === undefined && isAtTerminal() && !json) {
				await askForVerdict(here, asked);
				return;
			}

			if (asked.length > 0 && verdict !== undefined) {
				await keepVerdict(here, asked, verdict);
			}

			const said = verdict ?? (await verdictOn(here, asked));
			const words =
				asked.length === 0
					? 'Nothing in the config of this repository needs your yes.'
					: [...askedLines(asked), saidTexts[said ?? 'nothing']].join('\n');
			printAs({json}, {asked, digest, verdict: said ?? null}, words);
			process.exitCode = asked.length > 0 && said === undefined ? exitCodes.refused : 0;
		});
};

const requireFlags = ({yes, no}: Options, digest: string): void => {
	if (yes !== undefined && no) {
		throw new Failure('usage', '--yes and --no can’t be given together.');
	}

	if (typeof yes === 'string' && yes !== digest) {
		throw new Failure('refused', `${yes} does not stand for the current settings.`, {
			hint: 'delegate-tui trust shows it',
		});
	}
};

const saidTexts: Readonly<Record<TrustVerdict | 'nothing', string>> = {
	yes: 'All of it holds here, until it changes.',
	no: 'None of it holds here; your own config does.',
	nothing: 'You have not said yet whether it holds here: delegate-tui trust --yes, or --no',
};
