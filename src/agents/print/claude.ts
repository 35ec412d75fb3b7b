import {z} from 'zod';
import {limitOfClaude} from '../trouble/limit.ts';
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

const initSchema = z.object({
	type: z.literal('system'),
	subtype: z.literal('init'),
	session_id: z.string(),
});

const retrySchema = z.object({
	type: z.literal('system'),
	subtype: z.literal('api_retry'),
	error: someText,
	error_status: someNumber,
	attempt: someNumber,
	max_retries: someNumber,
});

const partSchema = z.union([
	z.object({type: z.literal('text'), text: z.string()}),
	z.object({type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown()}),
	z.object({
		type: z.literal('tool_result'),
		tool_use_id: z.string(),
		is_error: z.boolean().optional(),
		content: z.unknown(),
	}),
]);

const textsSchema = z.array(z.object({text: z.string()}).transform(({text}) => text));

const messageSchema = z.object({
	type: z.enum(['assistant', 'user']),
	uuid: someText,
	message: z.object({content: z.array(z.unknown())}),
});

const resultSchema = z.object({
	type: z.literal('result'),
	subtype: someText,
	is_error: z.boolean().optional(),
	result: someText,
	total_cost_usd: someNumber,
	usage: z
		.object({input_tokens: someNumber, output_tokens: someNumber})
		.optional()
		.catch(undefined),
	permission_denials: z
		.array(z.object({tool_name: z.string(), tool_use_id: z.string()}))
		.optional()
		.catch(undefined),
});

const limitSchema = z.object({type: z.literal('rate_limit_event'), rate_limit_info: z.unknown()});

const lineSchema = z.union([initSchema, retrySchema, messageSchema, limitSchema, resultSchema]);

/** Parses a line of `claude -p --output-format stream-json --verbose`. */
export const readClaude: ReadLine = line => {
	const read = lineSchema.safeParse(line).data;
	switch (read?.type) {
		case 'system':
			return [
				read.subtype === 'init'
					? detail({kind: 'conversation', id: read.session_id})
					: detail({kind: 'retrying', why: whyAgain(read)}),
			];
		case 'assistant':
		case 'user':
			return read.message.content.flatMap((part, index) =>
				partOf(part, {
					isAgent: read.type === 'assistant',
					message: read.uuid === undefined ? undefined : `${read.uuid}/${index}`,
				}),
			);
		case 'rate_limit_event':
			return [{kind: 'limit', limit: limitOfClaude(read.rate_limit_info)}];
		case 'result':
			return resultOf(read);
		default:
			return [];
	}
};

const kinds: Readonly<Record<string, Parameters<typeof tool>[0]['kind']>> = {
	Bash: 'execute',
	Edit: 'edit',
	Glob: 'search',
	Grep: 'search',
	NotebookEdit: 'edit',
	Read: 'read',
	WebFetch: 'fetch',
	Write: 'edit',
};

/** Returns for example "rate limit (429), try 3 of 10". */
const whyAgain = (told: z.output<typeof retrySchema>): string => {
	const {
		error = 'its model did not answer',
		error_status: status,
		attempt,
		max_retries: most,
	} = told;
	return [
		`${error.replaceAll('_', ' ')}${status === undefined ? '' : ` (${status})`}`,
		...(attempt === undefined || most === undefined ? [] : [`try ${attempt} of ${most}`]),
	].join(', ');
};

type From = {readonly isAgent: boolean; readonly message: string | undefined};

/** Parses a part of a message; the stream echoes user messages. */
const partOf = (part: unknown, {isAgent, message}: From): readonly StreamEvent[] => {
	const read = partSchema.safeParse(part).data;
	switch (read?.type) {
		case 'text':
			return isAgent ? [said(read.text, message)] : [];
		case 'tool_use': {
			const {id, name, input} = read;
			return [tool({id, title: name, kind: kinds[name], status: 'in_progress', input})];
		}

		case 'tool_result': {
			const {tool_use_id: id, is_error: isError = false, content} = read;
			return [
				tool({id, status: isError ? 'failed' : 'completed', output: textOf(content)}),
				...(isError ? trouble(id, typeof content === 'string' ? content : undefined) : []),
			];
		}

		default:
			return [];
	}
};

const textOf = (content: unknown): string | undefined =>
	typeof content === 'string' ? content : textsSchema.safeParse(content).data?.join('\n');

const resultOf = (result: z.output<typeof resultSchema>): readonly StreamEvent[] => [
	...tokens({
		input: result.usage?.input_tokens,
		output: result.usage?.output_tokens,
		dollars: result.total_cost_usd,
	}),
	...(result.permission_denials ?? []).map(({tool_name: title, tool_use_id: id}) =>
		detail({kind: 'refusal', about: id, title}),
	),
	...(result.is_error
		? [{kind: 'failure', cause: result.result ?? result.subtype ?? 'it failed'} as const]
		: []),
];
