import {z} from 'zod';
import {unique} from '../oracle.ts';
import type {Checker} from './checker.ts';
import {pathIn} from './read-lines.ts';

export const cargo: Checker = {
	name: 'cargo check',
	program: 'cargo',
	version: ['--version'],
	serves: path => path.endsWith('.rs'),
	project: 'Cargo.toml',
	// It builds and runs `build.rs` and procedural macros.
	runsCode: true,
	args: () => [
		'check',
		'--workspace',
		'--all-targets',
		'--keep-going',
		'--offline',
		'--message-format=json',
	],
	environment: {},
	read: ({root, stdout}) => unique(stdout.split('\n').flatMap(line => errorOf(root, line))),
};

const errorOf = (root: string, line: string) => {
	const {data} = messageSchema.safeParse(line.startsWith('{') ? JSON.parse(line) : undefined);
	const span = data?.message.spans.find(({is_primary}) => is_primary);
	return data === undefined || span === undefined
		? []
		: [
				{
					path: pathIn(root, span.file_name),
					line: span.line_start,
					code: data.message.code?.code ?? '',
					text: data.message.message,
				},
			];
};

/** The line of a compiler's error; `cargo check` tells it for each target that a file belongs to. */
const messageSchema = z.object({
	reason: z.literal('compiler-message'),
	message: z.object({
		level: z.literal('error'),
		message: z.string(),
		code: z.object({code: z.string()}).nullable(),
		spans: z.array(
			z.object({file_name: z.string(), line_start: z.number(), is_primary: z.boolean()}),
		),
	}),
});
