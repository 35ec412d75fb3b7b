import type {Command} from 'commander';
import {asFailure, exitCodes} from '../../lib/failure.ts';
import {printAside, redirectConsole, reportFailure, version} from '../output.ts';

/**
Adds the command of the background process; other commands start it, not people.

Everything that talks to agents is loaded only here, and all at once: an update of the program must not remove it from a running session.
*/
export const addSupervise = (program: Command): void => {
	const command = program.command('supervise', {hidden: true});
	command.option('--wake', 'only go on with a session that is under way');
	command.action(async ({wake = false}: {wake?: boolean}) => {
		const log = (message: string): void => {
			printAside(`${new Date().toISOString()} ${message}`);
		};

		redirectConsole(log);
		const {supervise} = await import('../../supervisor/supervise.ts');
		const program = [process.execPath, process.argv[1] ?? ''];
		try {
			await supervise({directory: process.cwd(), version, program, log, wake});
		} catch (error) {
			const failure = asFailure(error);
			reportFailure(failure, false);
			// Started parts of a session would keep the process alive, and with it the lock.
			process.exit(exitCodes[failure.kind]);
		}

		process.exit();
	});
};
