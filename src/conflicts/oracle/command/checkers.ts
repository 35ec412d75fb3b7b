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

/** A compiler error in one line; `cargo check` repeats it for each target of a file. */
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
	// Without these a tree could cause the download of a toolchain and a run of the C compiler.
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
	// No annotation processors, which are code of the tree.
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

/** A checker that is a program: its command line, and the parser of its output. */
export type Checker = {
	/** Name for people. */
	readonly name: string;
	readonly program: string;
	/** Arguments that print its version. */
	readonly version: readonly string[];
	serves(path: string): boolean;
	/** File at the root of a tree without which there is nothing to check. */
	readonly project?: string;
	/** True if it runs code of the tree, such as build scripts. */
	readonly runsCode: boolean;
	/** Returns its arguments for the files of a tree that it serves, run in the root of the tree. */
	args(files: readonly string[]): readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/**
	Parses its whole output.

	@returns `undefined` if the output is not this checker's.
	*/
	read(output: CheckerOutput): readonly Diagnosis[] | undefined;
};

export type CheckerOutput = {
	/** Folder of the tree. */
	readonly root: string;
	readonly stdout: string;
	readonly stderr: string;
};
