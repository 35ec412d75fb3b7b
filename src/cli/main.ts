import {asFailure, exitCodes} from '../lib/failure.ts';
import {reportFailure} from './output.ts';
import {takeToken} from './own-token.ts';

/** Runs the program with the words that follow its name; the only place that sets an exit code on failure. */
export const main = async (words: readonly string[]): Promise<void> => {
	// A reader that goes away (`| head`) is no error of ours.
	process.stdout.on('error', () => process.exit());
	takeToken(process.env);
	try {
		await (runPlain(words) ?? (await import('./program.ts')).runParsed(words));
	} catch (error) {
		const failure = asFailure(error);
		reportFailure(failure, words.includes('--json'));
		process.exitCode = exitCodes[failure.kind];
	}
};

/** Runs what people and scripts ask for most, where nothing but its words is said: the parser of words takes as long to load as these do to answer. */
const runPlain = ([name = '', ...others]: readonly string[]): Promise<void> | undefined => {
	const words = others.filter(word => word !== '--json');
	const json = words.length < others.length;
	if (words.some(word => word.startsWith('-'))) {
		return undefined;
	}

	switch (name) {
		case '':
			return others.length > 0
				? undefined
				: import('./commands/open.ts').then(open => open.openSession());
		case 'status':
			return words.length > 0
				? undefined
				: import('./commands/status.ts').then(status => status.showStatus({json}));
		case 'inbox':
			return words.length > 0
				? undefined
				: import('./commands/inbox.ts').then(inbox => inbox.showInbox({json}));
		case 'answer':
			return import('./commands/answer.ts').then(({answerItem}) =>
				answerItem(words[0], words.slice(1), {json}),
			);
		default:
			return undefined;
	}
};
