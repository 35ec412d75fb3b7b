import {join} from 'node:path';
import type {Command} from 'commander';
import {configFolder} from '../config/load.ts';
import {
	fetchRegistry,
	type RegisteredAgent,
	readRegistry,
	registryName,
} from '../config/registry.ts';
import {checkAgents} from '../doctor/agents.ts';
import {findHere} from '../here.ts';
import {printAs} from '../output.ts';
import {findingText} from './doctor.ts';

/** `agents`: the agents that a plan can name here, and what installs those of the registry. */
export const addAgents = (program: Command): void => {
	program
		.command('agents')
		.description('the agents that a plan can name here, and how to install others')
		.option('--json', 'as JSON')
		.action(async ({json}: {json?: boolean}) => {
			const here = await findHere().catch(() => undefined);
			const agents = await checkAgents({here, environment: process.env});
			const registry = await readRegistry(configFolder()).catch(() => undefined);
			const words = [...agents.map(findingText), '', ...linesOf(registry)];
			printAs({json}, {agents, registry: registry ?? null}, words.join('\n'));
		});
};

const linesOf = (registry: readonly RegisteredAgent[] | undefined): readonly string[] => {
	const file = join(configFolder(), registryName);
	if (registry === undefined) {
		return [
			`Others are in the registry of the Agent Client Protocol. To fetch it:`,
			`  ${fetchRegistry(file)}`,
		];
	}

	const others = registry.filter(({agent}) => agent === undefined);
	return [
		`Others in ${file}; once they are installed, plans can use these names:`,
		...others.map(({id, title, version, install}) => `  ${id}: ${title} ${version}; ${install}`),
	];
};
