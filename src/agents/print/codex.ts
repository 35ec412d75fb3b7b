import {z} from 'zod';
import {
	detail,
	type ReadLine,
	type StreamEvent,
	said,
	someNumber,
	someText,
	tokens,
	tool,
	trouble,
} from './stream-event.ts';

const status = someText;

const itemSchema = z.union([
	z.object({type: z.literal('agent_message'), id: z.string(), text: z.string()}),
	z.object({type: z.literal('reasoning'), id: z.string(), text: z.string()}),
	z.object({
		type: z.literal('command_execution'),
		id: z.string(),
		command: z.string(),
		aggregated_output: someText,
		status,
	}),
	z.object({type: z.literal('file_change'), id: z.string(), changes: z.unknown(), status}),
	z.object({
		type: z.literal('mcp_tool_call'),
		id: z.string(),
		server: someText,
		tool: someText,
		status,
	}),
	z.object({type: z.literal('web_search'), id: z.string(), query: someText}),
	z.object({
		type: z.literal('todo_list'),
		id: z.string(),
		items: z.array(z.object({text: z.string(), completed: z.boolean()})),
	}),
	z.object({type: z.literal('error'), id: z.string(), message: z.string()}),
]);

const lineSchema = z.union([
	z.object({type: z.literal('thread.started'), thread_id: z.string()}),
	z.object({
		type: z.enum(['item.started', 'item.updated', 'item.completed']),
		item: itemSchema,
	}),
	z.object({
		type: z.literal('turn.completed'),
		usage: z.object({input_tokens: someNumber, output_tokens: someNumber}),
	}),
	z.object({type: z.literal('turn.failed'), error: z.object({message: z.string()})}),
	z.object({type: z.literal('error'), message: z.string()}),
]);

/** Parses a line of `codex exec --json`. */
export const readCodex: ReadLine = line => {
	const read = lineSchema.safeParse(line).data;
	switch (read?.type) {
		case 'thread.started':
			return [detail({kind: 'conversation', id: read.thread_id})];
		case 'item.started':
		case 'item.updated':
		case 'item.completed':
			return itemOf(read.item, read.type === 'item.completed');
		case 'turn.completed':
			return tokens({input: read.usage.input_tokens, output: read.usage.output_tokens});
		case 'turn.failed':
			return [{kind: 'failure', cause: read.error.message}];
		case 'error':
			// It may be retrying by itself.
			return trouble('', read.message);
		default:
			return [];
	}
};

const itemOf = (item: z.output<typeof itemSchema>, isOver: boolean): readonly StreamEvent[] => {
	const {id} = item;
	switch (item.type) {
		case 'agent_message':
			return isOver ? [said(item.text, id)] : [];
		case 'reasoning':
			return isOver ? [detail({kind: 'thought', text: item.text, message: id})] : [];
		case 'command_execution': {
			const {command} = item;
			return [
				tool({
					id,
					title: command,
					kind: 'execute',
					status: statusOf(item, isOver),
					input: {command},
					output: isOver ? item.aggregated_output : undefined,
				}),
			];
		}

		case 'file_change': {
			const input = {changes: item.changes};
			return [tool({id, title: 'Edit files', kind: 'edit', status: statusOf(item, isOver), input})];
		}

		case 'mcp_tool_call': {
			const title = [item.server, item.tool].filter(part => part !== undefined).join('.');
			return [tool({id, title, kind: 'other', status: statusOf(item, isOver)})];
		}

		case 'web_search':
			return [tool({id, title: item.query, kind: 'fetch', status: statusOf({}, isOver)})];
		case 'todo_list':
			return [
				detail({
					kind: 'plan',
					entries: item.items.map(({text, completed}) => ({
						content: text,
						priority: 'medium',
						status: completed ? 'completed' : 'pending',
					})),
				}),
			];
		case 'error':
			return trouble(id, item.message);
	}
};

const statusOf = (
	{status: said}: {readonly status?: string | undefined},
	isOver: boolean,
): 'in_progress' | 'completed' | 'failed' => {
	if (said === 'failed' || said === 'declined') {
		return 'failed';
	}

	return isOver ? 'completed' : 'in_progress';
};
