import {Failure} from '../failure.ts';
import type {SystemCause} from '../files/reading.ts';
import {requireDescriptors} from './find-program.ts';
import {runProgram} from './run-program.ts';

/** Runs a command that tests this machine's abilities, in the root folder; returns its exit code, or null if it didn't start or was killed, also for being late, and its stderr unless it was late. */
export const outcomeOf = async (
	[program = '', ...words]: readonly string[],
	{
		input = '',
		// A command that asks for a password never ends.
		patienceMs = 5000,
	}: {readonly input?: string; readonly patienceMs?: number} = {},
): Promise<{readonly code: number | null; readonly isLate: boolean; readonly said: string}> => {
	requireDescriptors(unstartable);
	const signal = AbortSignal.timeout(patienceMs);
	const options = {cwd: '/', env: process.env, detached: true, input, signal};
	try {
		const {code, stderr} = await runProgram(program, words, options);
		return {code, said: stderr.toString('utf8'), isLate: false};
	} catch {
		return {code: null, said: '', isLate: signal.aborted};
	}
};

/** Throws: without a test, no weaker containment may be used instead. */
const unstartable = ({cause, hint}: SystemCause): never => {
	throw new Failure(
		'missing',
		`The containment of an agent’s processes can’t be tested: ${cause}.`,
		{hint},
	);
};
