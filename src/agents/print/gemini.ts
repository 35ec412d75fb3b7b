import {z} from 'zod';
import {
	detail,
	type ReadLine,
	said,
	someNumber,
	someText,
	tokens,
	tool,
	trouble,
} from './stream-event.ts';

const errorSchema = z.object({message: someText}).optional().catch(undefined);

const lineSchema = z.union([
	z.object({type: z.literal('init'), session_id: z.string()}),
	z.object({type: z.literal('message'), role: z.string(), content: z.string()}),
	z.object({
		type: z.literal('tool_use'),
		tool_name: z.string(),
		tool_id: z.string(),
		parameters: z.unknown(),
	}),
	z.object({
		type: z.literal('tool_result'),
		tool_id: z.string(),
		status: z.string(),
		output: someText,
		error: errorSchema,
	}),
	z.object({type: z.literal('error'), message: z.string()}),
	z.object({
		type: z.literal('result'),
		status: z.string(),
		error: errorSchema,
		stats: z
			.object({total_tokens: someNumber, input_tokens: someNumber, output_tokens: someNumber})
			.optional()
			.catch(undefined),
	}),
]);

const kinds: Readonly<Record<string, Parameters<typeof tool>[0]['kind']>> = {
	read_file: 'read',
	replace: 'edit',
	run_shell_command: 'execute',
	write_file: 'edit',
};

/** Parses a line of `gemini --output-format stream-json`. */
export const readGemini: ReadLine = line => {
	const read = lineSchema.safeParse(line).data;
	switch (read?.type) {
		case 'init':
			return [detail({kind: 'conversation', id: read.session_id})];
		case 'message':
			// The stream echoes user messages.
			return read.role === 'assistant' ? [said(read.content)] : [];
		case 'tool_use': {
			const {tool_id: id, tool_name: title, parameters: input} = read;
			return [tool({id, title, kind: kinds[title], status: 'in_progress', input})];
		}

		case 'tool_result': {
			const {tool_id: id, error} = read;
			const status = read.status === 'success' ? 'completed' : 'failed';
			return [
				tool({id, status, output: read.output ?? error?.message}),
				...trouble(id, error?.message),
			];
		}

		case 'error':
			return trouble('', read.message);
		case 'result':
			return [
				...tokens({
					input: read.stats?.input_tokens,
					output: read.stats?.output_tokens,
					total: read.stats?.total_tokens,
				}),
				...(read.status === 'success'
					? []
					: [{kind: 'failure', cause: read.error?.message ?? 'it failed'} as const]),
			];
		default:
			return [];
	}
};
