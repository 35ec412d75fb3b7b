import type {Command} from 'commander';
import {accessFrom, toolServerCommand} from '../../tools/access.ts';
import {version} from '../output.ts';

/** Adds the command that serves an agent's tools over the Model Context Protocol; agents start it, not people. */
export const addAgentTools = (program: Command): void => {
	program.command(toolServerCommand, {hidden: true}).action(async () => {
		const access = accessFrom(process.env);
		const {serveTools} = await import('../../tools/server.ts');
		serveTools(access, version);
	});
};
