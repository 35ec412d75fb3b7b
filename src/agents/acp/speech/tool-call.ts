import {z} from 'zod';
import {defined} from '../../../lib/values.ts';
import {type AskedPermission, inputPaths} from '../permission/permission-request.ts';

/** The protocol's kinds of tools; unknown ones count as `other`. */
const toolKinds = [
	'read',
	'edit',
	'delete',
	'move',
	'search',
	'execute',
	'think',
	'fetch',
	'switch_mode',
	'other',
] as const;

export type ToolKind = (typeof toolKinds)[number];

/** An agent's change to a file, as it reports it. */
export type ToolDiff = {readonly path: string; readonly oldText: string; readonly newText: string};

/** A tool call, as far as the agent has reported it. */
export type ToolCall = {
	readonly id: string;
	readonly title: string;
	readonly kind: ToolKind;
	readonly status: 'pending' | 'in_progress' | 'completed' | 'failed';
	/** All paths in any part of it, as the agent writes them. */
	readonly paths: readonly string[];
	/** The shell command, if it runs one. */
	readonly command?: string;
	readonly diffs: readonly ToolDiff[];
	/** The tool server that it calls, if any. */
	readonly server?: CalledServer;
};

/** Parses a field that an agent may omit or get wrong as absent. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const newsSchema = z.object({
	toolCallId: z.string(),
	title: lenient(z.string()),
	kind: lenient(z.enum(toolKinds)),
	status: lenient(z.enum(['pending', 'in_progress', 'completed', 'failed'])),
	content: lenient(z.array(z.unknown())),
	locations: lenient(z.array(z.unknown())),
	rawInput: z.unknown().optional(),
});

const diffSchema = z.object({
	type: z.literal('diff'),
	path: z.string(),
	oldText: z.string().nullish().catch(undefined),
	newText: z.string(),
});

const locationSchema = z.object({path: z.string()});

/**
Merges an update into a tool call: its announcement, an update or a permission request.

An agent may send updates without an announcement, and each contains only changes; paths are never forgotten.
*/
export const withNews = (known: ToolCall | undefined, said: unknown): ToolCall | undefined => {
	const parsed = newsSchema.safeParse(said);
	if (!parsed.success) {
		return known;
	}

	const {toolCallId, title, kind, status, content = [], locations = [], rawInput} = parsed.data;
	const diffs = content.flatMap(part => readDiff(part));
	const command = commandOf(rawInput) ?? known?.command;
	const server =
		known?.server?.from === 'agent' ? known.server : (calledServer(said) ?? known?.server);
	const paths = [
		...(known?.paths ?? []),
		...locations.flatMap(location => locationSchema.safeParse(location).data?.path ?? []),
		...diffs.map(({path}) => path),
		...inputPaths(rawInput),
	];
	return {
		id: toolCallId,
		title: title ?? known?.title ?? '',
		kind: specific(kind) ?? known?.kind ?? 'other',
		status: status ?? known?.status ?? 'pending',
		paths: [...new Set(paths)],
		...defined({command, server}),
		diffs: diffs.length > 0 ? diffs : (known?.diffs ?? []),
	};
};

/** Drops `other`: a permission request beside a tool has that kind, which says nothing about the tool. */
const specific = (kind: ToolKind | undefined): ToolKind | undefined =>
	kind === 'other' ? undefined : kind;

const readDiff = (part: unknown): ToolDiff[] => {
	const parsed = diffSchema.safeParse(part);
	return parsed.success
		? [{path: parsed.data.path, oldText: parsed.data.oldText ?? '', newText: parsed.data.newText}]
		: [];
};

const commandSchema = z.object({command: z.union([z.string(), z.array(z.string())])});

const commandOf = (rawInput: unknown): string | undefined => {
	const parsed = commandSchema.safeParse(rawInput);
	if (!parsed.success) {
		return undefined;
	}

	const {command} = parsed.data;
	return typeof command === 'string' ? command : (scriptOf(command) ?? command.join(' '));
};

/** Returns the script: Codex passes each line to a shell. */
const scriptOf = ([shell = '', option = '', script, ...rest]: readonly string[]):
	| string
	| undefined =>
	/(?:^|\/)(?:ba|z)?sh$/.test(shell) && /^-l?c$/.test(option) && rest.length === 0
		? script
		: undefined;

/** Returns whether permission is only requested for a call of one of our own tools. */
export const isOwnTool = (
	servers: readonly string[],
	asked: AskedPermission,
	{server}: ToolCall,
): boolean => server !== undefined && servers.includes(server.name) && isVouchedFor(server, asked);

/**
Tool server of a call, and the source of its name.

`agent`: the agent's own note beside the call; `input` and `title`: the call's input and title, which prove nothing by themselves, since a model writes those of most tools.
*/
type CalledServer = {readonly name: string; readonly from: 'agent' | 'input' | 'title'};

/** Parses the server in an update of a tool call; there is no standard field for it. */
const calledServer = (news: unknown): CalledServer | undefined => {
	const noted = notedSchema.safeParse(news).data?._meta.claudeCode.mcpServer.name;
	if (noted !== undefined) {
		return {name: noted, from: 'agent'};
	}

	const input = inputSchema.safeParse(news).data?.rawInput.server;
	if (input !== undefined) {
		return {name: input, from: 'input'};
	}

	const titled = titlePattern.exec(titleSchema.safeParse(news).data?.title ?? '')?.[1];
	return titled === undefined ? undefined : {name: titled, from: 'title'};
};

/** Returns whether the agent, not its model, named the server. */
const isVouchedFor = (
	{from}: CalledServer,
	{isToolApproval, options}: AskedPermission,
): boolean => {
	switch (from) {
		case 'agent':
			return true;
		case 'input':
			return isToolApproval;
		case 'title':
			return options.some(({id}) => id === wholeServerOption);
	}
};

/** Claude's adapter; a server from a repository's own files has another source than ours. */
const notedSchema = z.object({
	_meta: z.object({
		claudeCode: z.object({
			mcpServer: z.object({name: z.string(), source: z.literal('dynamic').optional()}),
		}),
	}),
});

/** Codex's adapter, which marks such a permission request, and announces the call before. */
const inputSchema = z.object({
	rawInput: z.object({server: z.string(), tool: z.string()}),
});

/** Gemini, which names it only in words, and offers to allow the whole server only for its tools. */
const titleSchema = z.object({title: z.string()});

const titlePattern = / \(([^()]+) MCP Server\)$/;

const wholeServerOption = 'proceed_always_server';
