import type {PermissionOptionKind, RequestPermissionResponse} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import {defined} from '../../../lib/values.ts';

/** A parsed permission request. */
export type AskedPermission = {
	/** Update of the tool call that it is about. */
	readonly toolCall: unknown;
	/** Kind in the request itself, which may differ from its tool's. */
	readonly kind?: string;
	readonly options: readonly {readonly id: string; readonly kind: string}[];
	/** True if the agent marks it as a call of a server's tool; only the call's announcement names the server. */
	readonly isToolApproval: boolean;
};

const requestSchema = z.object({
	toolCall: z.unknown().optional(),
	options: z.array(z.object({optionId: z.string(), kind: z.string()})),
	_meta: z.object({is_mcp_tool_approval: z.boolean()}).optional().catch(undefined),
});

const kindSchema = z.object({kind: z.string()});

/**
Parses a permission request.

The protocol's own schema would reject the whole request for one unknown kind of option; here such an option is just never chosen.
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

/** Matches option ids that identify Gemini. */
const geminiOption = /^proceed_/;

/** Returns the command in a request's title, if the agent gives it only there; other agents' titles are free text. */
export const titledCommand = (
	{kind, options}: AskedPermission,
	{title}: {readonly title: string},
): string | undefined =>
	kind === 'execute' && options.some(({id}) => geminiOption.test(id)) ? title : undefined;

/**
Returns the answer that allows or refuses once, chosen by kind: ids and names have other meanings with every agent.

Permission is never given permanently, so a request without a fitting option is cancelled.
*/
export const responseTo = (
	{options}: AskedPermission,
	kind: Extract<PermissionOptionKind, 'allow_once' | 'reject_once'>,
): RequestPermissionResponse => {
	const option = options.find(offered => offered.kind === kind);
	return option === undefined ? cancelled : {outcome: {outcome: 'selected', optionId: option.id}};
};

/** Answer to a request whose turn is ending. */
export const cancelled: RequestPermissionResponse = {outcome: {outcome: 'cancelled'}};

/** Returns whether an answer refuses the request; a cancelled one ended with its turn. */
export const isRejection = (
	{options}: AskedPermission,
	{outcome}: RequestPermissionResponse,
): boolean =>
	outcome.outcome === 'selected' &&
	options.some(({id, kind}) => id === outcome.optionId && kind === 'reject_once');

/** Maximum depth and number of paths to find in a tool's input. */
const maximumDepth = 4;
const maximumPaths = 1000;

/** Matches keys with which agents pass a path to a tool: `file_path`, `filePath`, `paths`, `parentDir`, `workdir`, `destination`. */
const pathName =
	/(?:^|_|[a-z](?=[A-Z]))(?:paths?|files?|file_?names?|(?:work)?dir|cwd|director(?:y|ies)|source|destination)$/i;

/** Matches keys of maps whose own keys are paths. */
const mapName = /^changes$/i;

/**
Returns all paths in a tool's input.

Each agent uses other keys; one path too many only means that a person is asked or a write is refused.
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
