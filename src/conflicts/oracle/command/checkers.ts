import {z} from 'zod';
import {readJsonObject} from '../../../lib/text/json.ts';
import {type Diagnosis, unique} from '../oracle.ts';
import {pathIn, readLines} from './own-check.ts';

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

export const goVet: Checker = {
	name: 'go vet',
	program: 'go',
	version: ['version'],
	serves: path => path.endsWith('.go'),
	project: 'go.mod',
	runsCode: false,
	args: () => ['vet', './...'],
	// Without these a tree could have a toolchain fetched and a compiler for C run.
	environment: {GOTOOLCHAIN: 'local', CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOPROXY: 'off'},
	read: ({root, stderr}) => readLines(root, stderr, goErrorLine),
};

const goErrorLine = /^(?:vet: )?(?<path>[^\s:][^:]*\.go):(?<line>\d+)(?::\d+)?: (?<text>.+)$/;

export const javac: Checker = {
	name: 'javac',
	program: 'javac',
	version: ['-version'],
	serves: path => path.endsWith('.java'),
	runsCode: false,
	// Without processors, which are code of the tree.
	args: files => [
		'-proc:none',
		'-implicit:none',
		'-Xmaxerrs',
		'10000',
		'-d',
		'.delegate-tui-classes',
		...files,
	],
	environment: {LC_ALL: 'C'},
	read: ({root, stderr}) => readLines(root, stderr, javacErrorLine),
};

const javacErrorLine = /^(?<path>.+\.java):(?<line>\d+): error: (?<text>.+)$/;

export const pyright: Checker = {
	name: 'pyright',
	program: 'pyright',
	version: ['--version'],
	serves: path => /\.pyi?$/.test(path),
	runsCode: false,
	args: () => ['--outputjson'],
	environment: {},
	read: ({root, stdout}) => {
		const report = reportSchema.safeParse(readJsonObject(stdout));
		return report.data?.generalDiagnostics
			.filter(({severity}) => severity === 'error')
			.map(({file, message, rule = '', range}) => ({
				path: pathIn(root, file),
				line: range.start.line + 1,
				code: rule,
				text: message,
			}));
	},
};

const reportSchema = z.object({
	generalDiagnostics: z.array(
		z.object({
			file: z.string(),
			severity: z.string(),
			message: z.string(),
			rule: z.string().optional(),
			range: z.object({start: z.object({line: z.number()})}),
		}),
	),
});

/** A checker that is a program: how to ask it, and how to read what it says. */
export type Checker = {
	/** Shown to people. */
	readonly name: string;
	readonly program: string;
	/** Arguments that print its version. */
	readonly version: readonly string[];
	serves(path: string): boolean;
	/** A file that must lie at the root of a tree; without one it has nothing to check there. */
	readonly project?: string;
	/** Whether it runs code of the tree, such as build scripts. */
	readonly runsCode: boolean;
	/** Its arguments for the files of a tree that it serves, in the root of the tree. */
	args(files: readonly string[]): readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/**
	Reads all that it printed.

	@returns `undefined` where it is nothing that this checker prints.
	*/
	read(output: CheckerOutput): readonly Diagnosis[] | undefined;
};

export type CheckerOutput = {
	/** The folder that the tree lies in. */
	readonly root: string;
	readonly stdout: string;
	readonly stderr: string;
};
