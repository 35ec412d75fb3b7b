import type {Command} from 'commander';
import {supervise} from '../../supervisor/supervise.ts';
import {version} from '../version.ts';

/** The background process; started by other commands, not by people. */
export const addSupervise = (program: Command): void => {
	program.command('supervise', {hidden: true}).action(async () => {
		await supervise({
			directory: process.cwd(),
			version,
			log: message => process.stderr.write(`${new Date().toISOString()} ${message}\n`),
		});
		process.exit();
	});
};
