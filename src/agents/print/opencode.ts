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

const partSchemas = z.union([
	z.object({type: z.literal('text'), part: z.object({id: someText, text: z.string()})}),
	z.object({
		type: z.literal('tool_use'),
		part: z.object({
			callID: z.string(),
			tool: z.string(),
			state: z.object({
				...{status: z.string(), input: z.unknown()},
				...{title: someText, error: someText, output: someText},
			}),
		}),
	}),
	z.object({
		type: z.literal('step_finish'),
		part: z.object({
			cost: someNumber,
			tokens: z.object({input: someNumber, output: someNumber}).optional().catch(undefined),
		}),
	}),
	z.object({
		type: z.literal('error'),
		error: z.object({
			name: someText,
			data: z.object({message: someText}).optional().catch(undefined),
		}),
	}),
]);

const sessionSchema = z.object({type: z.literal('step_start'), sessionID: z.string()});

const lineSchema = z.union([partSchemas, sessionSchema]);

const kinds: Readonly<Record<string, Parameters<typeof tool>[0]['kind']>> = {
	bash: 'execute',
	edit: 'edit',
	glob: 'search',
	grep: 'search',
	read: 'read',
	webfetch: 'fetch',
	write: 'edit',
};

/** Parses a line of `opencode run --format json`. */
export const readOpencode: ReadLine = line => {
	const read = lineSchema.safeParse(line).data;
	switch (read?.type) {
		case 'step_start':
			return [detail({kind: 'conversation', id: read.sessionID})];
		case 'text':
			return [said(read.part.text, read.part.id)];
		case 'tool_use':
			return toolOf(read.part);
		case 'step_finish': {
			const {cost, tokens: used} = read.part;
			return tokens({input: used?.input, output: used?.output, dollars: cost});
		}

		case 'error':
			return [{kind: 'failure', cause: read.error.data?.message ?? read.error.name ?? 'it failed'}];
		default:
			return [];
	}
};

type ToolPart = Extract<z.output<typeof partSchemas>, {type: 'tool_use'}>['part'];

const toolOf = ({callID: id, tool: name, state}: ToolPart): readonly StreamEvent[] => {
	const status = state.status === 'error' ? 'failed' : 'completed';
	const title = state.title ?? name;
	return [
		tool({
			...{id, title, kind: kinds[name], status},
			input: state.input,
			output: state.output ?? state.error,
		}),
		...trouble(id, state.error),
	];
};
