import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {Failure} from '../failure.ts';
import type {SystemCause} from '../files/reading.ts';
import {requireDescriptors} from './find-program.ts';
import {endInput} from './pipe.ts';

/** Runs a command that tests this machine's abilities, in the root folder; returns its exit code, or null if it didn't start or was killed, also for being late, and its stderr. */
export const outcomeOf = async (
	[program = '', ...words]: readonly string[],
	{
		input = '',
		// A command that asks for a password never ends.
		patienceMs = 5000,
	}: {readonly input?: string; readonly patienceMs?: number} = {},
): Promise<{readonly code: number | null; readonly isLate: boolean; readonly said: string}> => {
	requireDescriptors(unstartable);
	const child = spawn(program, words, {
		cwd: '/',
		env: process.env,
		detached: true,
		stdio: ['pipe', 'ignore', 'pipe'],
		timeout: patienceMs,
		killSignal: 'SIGKILL',
	});
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (piece: string) => {
		said += piece;
	});
	endInput(child.stdin, input);
	try {
		const [code] = await once(child, 'close');
		return {code, said, isLate: child.killed};
	} catch {
		return {code: null, said, isLate: false};
	}
};

/** Throws: without a test, no weaker containment may be used instead. */
const unstartable = ({cause, hint}: SystemCause): never => {
	throw new Failure(
		'missing',
		`The containment of an agent’s processes can’t be tested: ${cause}.`,
		{
			hint,
		},
	);
};
