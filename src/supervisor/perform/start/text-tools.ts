import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import {toolConfig, toolConfigName} from '../../../agents/tool-config.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {accessEnvironment} from '../../../tools/access.ts';
import type {World} from '../../world.ts';

/** How a text agent is told of our tools. */
export type TextTools = {
	/** The server of them, for those of a known vendor. */
	readonly server?: McpServerStdio;
	/** The way to them, for whatever its program starts. */
	readonly environment: Readonly<Record<string, string>>;
};

/** Makes the tools of an agent known to its program, which starts their server itself; over ACP it is handed them as a conversation is opened. */
export const textTools = async (
	{tools, folder}: Pick<World, 'tools' | 'folder'>,
	{id, subtask}: Pick<Agent, 'id' | 'subtask'>,
	environment: Readonly<Record<string, string>>,
): Promise<TextTools> => {
	if (subtask.agent.protocol === 'acp') {
		return {environment};
	}

	const server = await tools.serverFor(id, environment);
	const {launch} = folder.agent(id);
	const file = join(launch, toolConfigName);
	await mkdir(launch, {recursive: true});
	// It holds the token of the agent.
	await writeFile(file, JSON.stringify(toolConfig(server), undefined, '\t'), {mode: 0o600});
	return {
		server,
		environment: {
			...environment,
			...accessEnvironment(await tools.open(id)),
			DELEGATE_MCP_CONFIG: file,
		},
	};
};
