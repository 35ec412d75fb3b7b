import {asFailure, exitCodes} from '../lib/failure.ts';
import {reportFailure} from './output.ts';
import {takeToken} from './own-token.ts';

/** Runs a command that the program was started with; the only place that sets an exit code on failure. */
export const run = async (
	words: readonly string[],
	command: () => Promise<void>,
): Promise<void> => {
	// A reader that goes away (`| head`) is no error of ours.
	process.stdout.on('error', () => process.exit());
	takeToken(process.env);
	try {
		await command();
	} catch (error) {
		const failure = asFailure(error);
		reportFailure(failure, words.includes('--json'));
		process.exitCode = exitCodes[failure.kind];
	}
};
