import {asFailure, exitCodes} from '../lib/failure.ts';
import {reportFailure} from './output.ts';
import {takeToken} from './own-token.ts';

/** Runs a command of the program; the only function that sets an exit code on failure. */
export const run = async (
	words: readonly string[],
	command: () => Promise<void>,
): Promise<void> => {
	// A closed pipe (`| head`) is not an error of this program.
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
