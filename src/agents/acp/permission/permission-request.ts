import type {PermissionOptionKind, RequestPermissionResponse} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import {defined} from '../../../lib/values.ts';

/** A request for leave, as far as it can be read. */
export type AskedPermission = {
	/** News of the tool call that it is about. */
	readonly toolCall: unknown;
	/** The kind in the request itself, which may differ from its tool's. */
	readonly kind?: string;
	readonly options: readonly {readonly id: string; readonly kind: string}[];
	/** Whether the agent marks it as being about a tool of a server, whose name only the call's announcement tells. */
	readonly isToolApproval: boolean;
};

const requestSchema = z.object({
	toolCall: z.unknown().optional(),
	options: z.array(z.object({optionId: z.string(), kind: z.string()})),
	_meta: z.object({is_mcp_tool_approval: z.boolean()}).optional().catch(undefined),
});

const kindSchema = z.object({kind: z.string()});

/**
Reads a request for leave.

The protocol's own schema would refuse the whole request for one kind of option that it doesn't know; here such an option is only never chosen.
*/
export const readAskedPermission = (params: unknown): AskedPermission => {
	const {toolCall, options, _meta} = requestSchema.parse(params);
	const kind = kindSchema.safeParse(toolCall).data?.kind;
	return {
		toolCall,
		...defined({kind}),
		options: options.map(({optionId, kind}) => ({id: optionId, kind})),
		isToolApproval: _meta?.is_mcp_tool_approval ?? false,
	};
};

/** By these ids Gemini is known. */
const geminiOption = /^proceed_/;

/** Returns the command that leave is asked for, where an agent tells it by nothing but the title of its request; others write there what they like. */
export const titledCommand = (
	{kind, options}: AskedPermission,
	{title}: {readonly title: string},
): string | undefined =>
	kind === 'execute' && options.some(({id}) => geminiOption.test(id)) ? title : undefined;

/**
Returns the answer that allows or refuses once, chosen by kind: ids and names mean something else with every agent.

What could only be allowed for good is not allowed at all, so a request without a fitting option is cancelled.
*/
export const responseTo = (
	{options}: AskedPermission,
	kind: Extract<PermissionOptionKind, 'allow_once' | 'reject_once'>,
): RequestPermissionResponse => {
	const option = options.find(offered => offered.kind === kind);
	return option === undefined ? cancelled : {outcome: {outcome: 'selected', optionId: option.id}};
};

/** The answer to a request whose turn is being ended. */
export const cancelled: RequestPermissionResponse = {outcome: {outcome: 'cancelled'}};

/** Returns whether an answer refuses what was asked; one that is cancelled came to nothing with its turn. */
export const isRejection = (
	{options}: AskedPermission,
	{outcome}: RequestPermissionResponse,
): boolean =>
	outcome.outcome === 'selected' &&
	options.some(({id, kind}) => id === outcome.optionId && kind === 'reject_once');

/** How deep and how far the input of a tool is looked through for paths. */
const maximumDepth = 4;
const maximumPaths = 1000;

/** Names under which agents hand a path to a tool: `file_path`, `filePath`, `paths`, `parentDir`, `workdir`, `destination`. */
const pathName =
	/(?:^|_|[a-z](?=[A-Z]))(?:paths?|files?|file_?names?|(?:work)?dir|cwd|director(?:y|ies)|source|destination)$/i;

/** Below these names the keys themselves are paths. */
const mapName = /^changes$/i;

/**
Returns every path that the input of a tool names.

Each agent has its own words for it; a path too many only means that a person is asked or a write is refused.
*/
export const inputPaths = (input: unknown): readonly string[] => {
	const found: string[] = [];
	collect(input, {depth: 0, isPath: false, isMap: false}, found);
	return found;
};

type Position = {readonly depth: number; readonly isPath: boolean; readonly isMap: boolean};

const collect = (value: unknown, position: Position, found: string[]): void => {
	if (found.length >= maximumPaths) {
		return;
	}

	if (typeof value === 'string') {
		if (position.isPath && isLikePath(value)) {
			found.push(value);
		}

		return;
	}

	if (typeof value !== 'object' || value === null || position.depth >= maximumDepth) {
		return;
	}

	const depth = position.depth + 1;
	if (Array.isArray(value)) {
		value.forEach(entry => {
			collect(entry, {...position, isMap: false, depth}, found);
		});
		return;
	}

	for (const [name, entry] of Object.entries(value)) {
		if (position.isMap && isLikePath(name)) {
			found.push(name);
		}

		collect(entry, {depth, isPath: pathName.test(name), isMap: mapName.test(name)}, found);
	}
};

const isLikePath = (text: string): boolean =>
	text !== '' && text.length <= 4096 && !/[\0\n\r]/.test(text);
