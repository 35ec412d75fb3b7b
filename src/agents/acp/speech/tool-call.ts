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

/** A change that an agent makes to a file, as it tells of it. */
export type ToolDiff = {readonly path: string; readonly oldText: string; readonly newText: string};

/** A tool call, as far as the agent has told of it. */
export type ToolCall = {
	readonly id: string;
	readonly title: string;
	readonly kind: ToolKind;
	readonly status: 'pending' | 'in_progress' | 'completed' | 'failed';
	/** Every path that any part of it names, as the agent writes it. */
	readonly paths: readonly string[];
	/** The shell command, when it runs one. */
	readonly command?: string;
	readonly diffs: readonly ToolDiff[];
	/** The server of tools that it goes to, when it does. */
	readonly server?: CalledServer;
};

/** Reads a field that an agent may omit or get wrong as absent. */
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
Returns a tool call with news of it, be it its announcement, an update or a request for leave.

An agent may never have announced what it tells news of, and says in each only what is new; paths are never forgotten.
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

/** A request for leave beside a tool says `other`, which tells nothing of the tool. */
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

/** Codex hands each line to a shell; what is of interest is the line. */
const scriptOf = ([shell = '', option = '', script, ...rest]: readonly string[]):
	| string
	| undefined =>
	/(?:^|\/)(?:ba|z)?sh$/.test(shell) && /^-l?c$/.test(option) && rest.length === 0
		? script
		: undefined;

/** Returns whether leave is asked for nothing but a call of a tool that we handed to the agent ourselves. */
export const isOwnTool = (
	servers: readonly string[],
	asked: AskedPermission,
	{server}: ToolCall,
): boolean => server !== undefined && servers.includes(server.name) && isVouchedFor(server, asked);

/**
The server of tools that a call goes to, and whose word that is.

`agent`: the agent's own note beside the call; `input` and `title`: the call's input and title, which are worth nothing by themselves, as a model writes those of most tools.
*/
type CalledServer = {readonly name: string; readonly from: 'agent' | 'input' | 'title'};

/** Reads the server off news of a tool call; agents that say nothing of it have no standard way to. */
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

/** Returns whether the agent, and not its model, named the server. */
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

/** Claude's adapter; a server that a repository's own files name has another source than one that we hand over. */
const notedSchema = z.object({
	_meta: z.object({
		claudeCode: z.object({
			mcpServer: z.object({name: z.string(), source: z.literal('dynamic').optional()}),
		}),
	}),
});

/** Codex's adapter, where such a request for leave is marked, and the call was announced before. */
const inputSchema = z.object({
	rawInput: z.object({server: z.string(), tool: z.string()}),
});

/** Gemini, which only says so in words, and offers to allow the whole server for no other tools. */
const titleSchema = z.object({title: z.string()});

const titlePattern = / \(([^()]+) MCP Server\)$/;

const wholeServerOption = 'proceed_always_server';
