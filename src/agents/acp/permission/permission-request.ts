import type {PermissionOptionKind, RequestPermissionResponse} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import {defined} from '../../../lib/defined.ts';

/** A request for leave, as far as it can be read. */
export type AskedPermission = {
	/** News of the tool call that it is about. */
	readonly toolCall: unknown;
	/** What the request itself says that it is for; it may be beside its tool. */
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
export const answerTo = (
	{options}: AskedPermission,
	kind: Extract<PermissionOptionKind, 'allow_once' | 'reject_once'>,
): RequestPermissionResponse => {
	const option = options.find(offered => offered.kind === kind);
	return option === undefined ? cancelled : {outcome: {outcome: 'selected', optionId: option.id}};
};

/** The answer to a request whose turn is being ended. */
export const cancelled: RequestPermissionResponse = {outcome: {outcome: 'cancelled'}};

/** Returns whether an answer refuses what was asked; one that is cancelled came to nothing with its turn. */
export const isRefusal = (
	{options}: AskedPermission,
	{outcome}: RequestPermissionResponse,
): boolean =>
	outcome.outcome === 'selected' &&
	options.some(({id, kind}) => id === outcome.optionId && kind === 'reject_once');
