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
import {requireConfig} from '../require-config.ts';
import {findingText} from './doctor.ts';

export const addAgents = (program: Command): void => {
	program
		.command('agents [name]')
		.description(
			'the agents that a plan can name here, and how to install others; with a name: the conversations that you began with it here, for `from` in a plan',
		)
		.option('--json', 'as JSON')
		.action(async (name: string | undefined, {json}: {json?: boolean}) => {
			if (name !== undefined) {
				await printConversations(name, {json});
				return;
			}

			const here = await findHere().catch(() => undefined);
			const agents = await checkAgents({here, environment: process.env});
			const registry = await readRegistry(configFolder()).catch(() => undefined);
			const words = [...agents.map(findingText), '', ...linesOf(registry)];
			printAs({json}, {agents, registry: registry ?? null}, words.join('\n'));
		});
};

const printConversations = async (
	name: string,
	{json}: {readonly json?: boolean | undefined},
): Promise<void> => {
	const here = await findHere();
	const {conversationsWith} = await import('../plan/propose.ts');
	const conversations = await conversationsWith(here, await requireConfig(here), name);
	const lines = conversations.map(
		({id, title, updatedAt = ''}) => `${id}  ${updatedAt.slice(0, 16).replace('T', ' ')}  ${title}`,
	);
	printAs(
		{json},
		{conversations},
		lines.length === 0
			? `${name} lists no conversation that began in this checkout.`
			: lines.join('\n'),
	);
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
