import type {Command} from 'commander';
import {asFailure, exitCodes} from '../../lib/failure.ts';
import {redirectConsole, reportFailure, version} from '../output.ts';

/**
The background process; started by other commands, not by people.

Only here everything that talks to agents is loaded, and all at once: an update of the program must not take it away from a session that runs.
*/
export const addSupervise = (program: Command): void => {
	const command = program.command('supervise', {hidden: true});
	command.option('--wake', 'only go on with a session that is under way');
	command.action(async ({wake = false}: {wake?: boolean}) => {
		const log = (message: string): void => {
			process.stderr.write(`${new Date().toISOString()} ${message}\n`);
		};

		redirectConsole(log);
		const {supervise} = await import('../../supervisor/supervise.ts');
		const program = [process.execPath, process.argv[1] ?? ''];
		try {
			await supervise({directory: process.cwd(), version, program, log, wake});
		} catch (error) {
			const failure = asFailure(error);
			reportFailure(failure, false);
			// What had begun of a session would keep the process, and with it the lock.
			process.exit(exitCodes[failure.kind]);
		}

		process.exit();
	});
};
