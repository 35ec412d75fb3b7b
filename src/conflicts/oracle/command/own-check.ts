import {isAbsolute, normalize, relative} from 'node:path';
import {commitTree, type Store} from '../../../git/store/store.ts';
import {entriesOf} from '../../../git/tree/listing.ts';
import {Failure} from '../../../lib/failure.ts';
import {sanitize, withoutColors} from '../../../lib/text/sanitize.ts';
import {makeFinder} from '../../checks/failure-locations.ts';
import type {Checked, Diagnosis, OraclePlugin} from '../oracle.ts';

/** Runs a project's check on a commit, in a folder of its own, and returns its output. */
export type RunCheck = (
	commit: string,
	signal: AbortSignal,
) => Promise<{readonly ok: boolean; readonly output: string}>;

export type OwnCheck = {
	/** Returns its commands when it starts; without any it is not used. */
	readonly commands: () => readonly string[];
	readonly run: RunCheck;
	/** Time limit for a merge, in milliseconds; by default that of other checkers. */
	readonly patienceMs?: number;
};

/**
Returns an oracle for commands of the project, such as its type check or its build.

They run code of the trees, so only a person may choose them.
*/
export const ownCheck = ({commands, run, ...patience}: OwnCheck): OraclePlugin => ({
	name: 'the command',
	...patience,
	runsTrees: true,
	serves: () => true,
	start: async ({store}) => {
		const named = commands();
		if (named.length === 0) {
			return;
		}

		return {
			version: named.map(command => `\`${command}\``).join(' and '),
			check: async (tree, signal) => {
				const {ok, output} = await run(await commitOf(store, tree), signal);
				return ok ? {errors: [], covered: new Set()} : errorsIn(store, tree, output);
			},
			close: async () => {},
		};
	},
});

/** Returns a commit of a tree, the same for the same tree. */
const commitOf = (store: Store, tree: string): Promise<string> =>
	commitTree(store, {
		tree: `${tree}^{tree}`,
		parents: [],
		message: 'For a check',
		at: '2000-01-01T00:00:00Z',
	});

/** Parses the errors; a build stops at the first stage that fails, so a missing error proves nothing. */
const errorsIn = async (store: Store, tree: string, output: string): Promise<Checked> => {
	const errors = readCheck(output, (await entriesOf(store, tree)).keys());
	if (errors.length === 0) {
		throw new Failure('internal', 'It failed and named no file with a line.');
	}

	return {errors, covered: new Set()};
};

/**
Returns the errors in a check's output, one per line: `path:line: message`, with or without a column, or `path(line,column): message`.

@param paths All paths of the tree; a line about another file is ignored.
*/
export const readCheck = (output: string, paths: Iterable<string>): readonly Diagnosis[] => {
	const inTree = makeFinder(paths);
	return output.split('\n').flatMap(line => {
		const {path = '', line: number, text = ''} = formOf(withoutColors(line))?.groups ?? {};
		const known = inTree(path);
		const {code = '', said = ''} = message.exec(text)?.groups ?? {};
		return known === undefined || said === '' || mild.test(text)
			? []
			: [{path: known, line: Number(number), code, text: sanitize(said).slice(0, longest)}];
	});
};

const longest = 500;

const forms: readonly RegExp[] = [
	/^\s*(?<path>[^\s:()][^:()]*\.\w+):(?<line>\d+)(?::\d+)?:?\s*(?:-\s*)?(?<text>\S.*)$/,
	/^\s*(?<path>\S[^:]*?\.\w+)\((?<line>\d+)(?:,\d+)?\):?\s*(?<text>\S.*)$/,
];

const formOf = (line: string): RegExpExecArray | undefined =>
	line.length > longestLine
		? undefined
		: (forms.map(form => form.exec(line)).find(match => match !== null) ?? undefined);

const longestLine = 2000;

/** Matches messages of compilers that are no errors. */
const mild = /^(?:warning|note|info|hint)\b/i;

const message = /^(?:(?:fatal )?error\b:?\s*)?(?:(?<code>[A-Z]{1,5}\d{2,5})\b:?\s*)?(?<said>.*)$/i;

/**
Parses errors, one per line.

@param pattern Pattern with the groups `path`, `line`, `text` and optionally `code`.
*/
export const readLines = (root: string, text: string, pattern: RegExp): readonly Diagnosis[] =>
	text.split('\n').flatMap(line => {
		const {path, line: number, code = '', text: said} = pattern.exec(line)?.groups ?? {};
		return path === undefined || number === undefined || said === undefined
			? []
			: [{path: pathIn(root, path), line: Number(number), code, text: said.trim()}];
	});

/** Returns a path relative to the root of the tree, like git's. */
export const pathIn = (root: string, path: string): string =>
	normalize(isAbsolute(path) ? relative(root, path) : path);
