import type {McpServer} from '../../../events/plan.ts';
import type {PlanFinding} from '../finding.ts';
import type {SubtaskEntry} from '../schema.ts';

type Entry = NonNullable<SubtaskEntry['mcp_servers']>[number];

/** Returns the tool servers of a plan's entry. */
export const serversIn = ({mcp_servers: entries}: SubtaskEntry): readonly McpServer[] | undefined =>
	entries?.map(serverOf);

const serverOf = ({name, command = [], env = [], url, type = 'http', headers = {}}: Entry) =>
	url === undefined ? {name, command, env} : {name, type, url, headers};

/** Finds servers that have both a command and a URL, or neither. */
export const checkServers = (entries: readonly SubtaskEntry[]): readonly PlanFinding[] =>
	entries.flatMap(({mcp_servers: servers = []}, index) =>
		servers.flatMap((server, at): readonly PlanFinding[] => {
			const message = whyNone(server);
			const path = ['agents', index, 'mcp_servers', at];
			return message === undefined ? [] : [{level: 'error', path, message}];
		}),
	);

const whyNone = ({name, command, env, url, type, headers}: Entry): string | undefined => {
	if (command === undefined && url === undefined) {
		return `The server \`${name}\` has neither a \`command\` nor a \`url\`.`;
	}

	const foreign =
		url === undefined
			? {...(type && {type}), ...(headers && {headers})}
			: {...(command && {command}), ...(env && {env})};
	const [key] = Object.keys(foreign);
	return key === undefined
		? undefined
		: `The server \`${name}\` has \`${key}\`, which goes with ${url === undefined ? 'a `url`' : 'a `command`'}.`;
};
