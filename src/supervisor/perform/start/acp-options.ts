import type {McpServer as AcpServer} from '@agentclientprotocol/sdk';
import type {Image} from '../../../agents/acp/conversation.ts';
import type {McpServer, Subtask} from '../../../events/plan.ts';
import {blobSizes, readBlob} from '../../../git/tree/blobs.ts';
import {entriesAt} from '../../../git/tree/entry.ts';
import {bytesText} from '../../../lib/text/bytes-text.ts';
import {asksIn} from '../../../rules/plan/acp-options/check-acp-options.ts';
import {imageTypeOf} from '../../../rules/plan/acp-options/image-types.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {marks} from '../../tools/tool-server.ts';
import type {World} from '../../world.ts';

/** What a plan sets for an agent, as far as it is available, and what is not, in a sentence each. */
export type Available<What> = {
	readonly available: readonly What[];
	readonly unmet: readonly string[];
};

/**
Returns how an agent starts the servers of tools that its plan names.

Agents start servers with a bare environment, so each gets the marks of the agent's processes, and of the agent's environment what the plan names.
*/
export const serversFor = (
	servers: readonly McpServer[] = [],
	environment: Readonly<Record<string, string>>,
): Available<AcpServer> => ({
	available: servers.map(server => asHanded(server, environment)),
	unmet: servers.flatMap(server =>
		variablesOf(server)
			.filter(variable => environment[variable] === undefined)
			.map(variable => `${variable} is not set, so the server ${server.name} goes without it.`),
	),
});

const asHanded = (server: McpServer, environment: Readonly<Record<string, string>>): AcpServer => {
	if ('url' in server) {
		const {name, type, url, headers} = server;
		const had = Object.entries(headers).flatMap(([header, variable]) =>
			valued(header, environment[variable]),
		);
		return {name, type, url, headers: had};
	}

	const {
		name,
		command: [command = '', ...args],
		env,
	} = server;
	const variables = [...marks, ...env];
	return {
		name,
		command,
		args,
		env: variables.flatMap(variable => valued(variable, environment[variable])),
	};
};

const valued = (name: string, value: string | undefined) =>
	value === undefined ? [] : [{name, value}];

const variablesOf = (server: McpServer): readonly string[] =>
	'url' in server ? Object.values(server.headers) : server.env;

/** Returns the mode that an agent is put into; what a plan was judged by may have changed since, so one of a vendor that is not known to ask in it is none. */
export const modeFor = ({mode, agent}: Pick<Subtask, 'mode' | 'agent'>): Available<string> => {
	if (mode === undefined) {
		return {available: [], unmet: []};
	}

	const vendor = agent.protocol === 'acp' ? agent.vendor : undefined;
	return vendor === undefined || asksIn(vendor, mode)
		? {available: [mode], unmet: []}
		: {
				available: [],
				unmet: [`It is not known to ask in the mode ${mode}; it works in its usual one.`],
			};
};

/** Models take no larger ones. */
const mostBytes = 5 * 2 ** 20;

/** Returns the pictures that an agent is shown, from the commit that its work stands on, where no agent can have changed them. */
export const imagesFor = async (
	{store}: Pick<World, 'store'>,
	{subtask: {images = []}, workspace}: Pick<Agent, 'subtask' | 'workspace'>,
): Promise<Available<Image>> => {
	if (images.length === 0 || workspace.phase !== 'ready') {
		return {available: [], unmet: []};
	}

	const entries = await entriesAt(store, workspace.base, images);
	const sizes = await blobSizes(
		store,
		[...entries.values()].map(({oid}) => oid),
	);
	const available: Image[] = [];
	const unmet: string[] = [];
	for (const path of images) {
		const entry = entries.get(path);
		const mimeType = imageTypeOf(path);
		const size = sizes.get(entry?.oid ?? '') ?? 0;
		if (entry === undefined || mimeType === undefined || !entry.mode.startsWith('100')) {
			unmet.push(`It is not shown ${path}, which is no file of the commit that it began on.`);
		} else if (size > mostBytes) {
			unmet.push(`It is not shown ${path}, which is larger than ${bytesText(mostBytes)}.`);
		} else {
			available.push({mimeType, data: (await readBlob(store, entry.oid)).toString('base64')});
		}
	}

	return {available, unmet};
};
