import type {Command} from 'commander';
import {accessFrom, toolServerCommand} from '../../tools/access.ts';
import {version} from '../output.ts';

/** The server of an agent's tools, over the Model Context Protocol; started by agents, not by people. */
export const addAgentTools = (program: Command): void => {
	program.command(toolServerCommand, {hidden: true}).action(async () => {
		const access = accessFrom(process.env);
		const {serveTools} = await import('../../tools/server.ts');
		serveTools(access, version);
	});
};
