import type {API, Diagnostic, Project} from 'typescript/unstable/async';
import {defined} from '../../../lib/defined.ts';
import {type Checked, type Diagnosis, type Oracle, type OraclePlugin, unique} from '../oracle.ts';
import {findLibrary, type Library} from './library.ts';
import {ownErrors} from './own-errors.ts';
import {projectsOf} from './projects.ts';
import {type Contents, readSourceTree, type SourceTree} from './source-tree.ts';
import {createTreeFileSystem, root} from './tree-file-system.ts';

/** TypeScript, over the objects of git: nothing is checked out and nothing is installed. */
export const typescript: OraclePlugin = {
	name: 'TypeScript',
	serves: path => /\.[cm]?tsx?$/.test(path),
	start: async ({store, checkout}) => {
		const library = await findLibrary(checkout);
		if (library === undefined) {
			return;
		}

		const contents: Contents = new Map();
		let compiler: Compiler | undefined;
		return {
			version: library.version,
			check: async (tree, signal) => {
				const files = await readSourceTree(store, tree, contents);
				signal.throwIfAborted();
				const asked = compiler ?? startCompiler(library, contents);
				compiler = asked;
				return untilAborted(asked.check(files), signal, () => {
					// What is checked next starts another one.
					compiler = compiler === asked ? undefined : compiler;
					asked.end();
				});
			},
			close: async () => compiler?.end(),
		} satisfies Oracle;
	},
};

/** A program of TypeScript's at work; it keeps what it knows from one tree to the next. */
type Compiler = {
	readonly check: (files: SourceTree) => Promise<Checked>;
	/** Ends the program at once, whatever it does. */
	readonly end: () => void;
};

const startCompiler = ({API}: Library, contents: Contents): Compiler => {
	const fileSystem = createTreeFileSystem(contents);
	const api = new API({cwd: root, fs: fileSystem.callbacks});
	let opened: readonly string[] = [];
	return {
		check: async files => {
			const projects = projectsOf(files, contents);
			// Named one by one: told to forget everything, it goes on with what it had read.
			const fileChanges = fileSystem.show(projects.tree);
			const configs = projects.configs.map(path => `${root}/${path}`);
			const snapshot = await api.updateSnapshot({
				fileChanges,
				openProjects: configs.filter(config => !opened.includes(config)),
				closeProjects: opened.filter(config => !configs.includes(config)),
			});
			opened = configs;
			const errors: Diagnosis[] = [];
			const covered = new Set<string>();
			for (const project of configs.flatMap(config => snapshot.getProject(config) ?? [])) {
				errors.push(...(await errorsOf(project, fileSystem.callbacks.readFile)));
				for (const path of project.rootFiles) {
					covered.add(path.slice(root.length + 1));
				}
			}

			await snapshot.dispose();
			const all = unique(errors);
			return {errors: all, covered, ...defined({own: ownErrors(all)})};
		},
		end: () => kill(api),
	};
};

const errorsOf = async (
	{program}: Project,
	read: (path: string) => string | null | undefined,
): Promise<readonly Diagnosis[]> => {
	const told = [
		...(await program.getSyntacticDiagnostics()),
		...(await program.getSemanticDiagnostics()),
	];
	return told.flatMap(diagnostic => diagnosisOf(diagnostic, read));
};

const diagnosisOf = (
	{fileName, pos, code, category, text}: Diagnostic,
	read: (path: string) => string | null | undefined,
): readonly Diagnosis[] =>
	category === errorCategory && fileName?.startsWith(`${root}/`) === true
		? [
				{
					path: fileName.slice(root.length + 1),
					line: (read(fileName) ?? '').slice(0, pos).split('\n').length,
					code: `TS${code}`,
					text,
				},
			]
		: [];

/** `DiagnosticCategory.Error`; the library itself is loaded only when it is asked. */
const errorCategory = 1;

const untilAborted = async <Result>(
	work: Promise<Result>,
	signal: AbortSignal,
	stop: () => void,
): Promise<Result> => {
	const {promise: aborted, reject} = Promise.withResolvers<never>();
	const abort = () => {
		stop();
		// A program that was not there yet is ended when it has answered.
		work.then(stop, stop);
		reject(signal.reason);
	};
	signal.addEventListener('abort', abort, {once: true});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
};

/** Ends its process at once: closed the library's own way, one that hangs would go on. What the library would still answer it is dropped, or it would fail where nobody can catch it, and end us. */
const kill = (api: API): void => {
	const {client}: {client?: {process?: Started}} = Object(api);
	const {process} = client ?? {};
	if (process?.stdin) {
		process.stdin.write = dropped;
	}

	process?.kill?.('SIGKILL');
};

type Started = {
	readonly kill?: (signal: string) => void;
	readonly stdin?: {write: typeof dropped};
};

/** Takes what is written, and says that it was. */
const dropped = (...args: readonly unknown[]): boolean => {
	const done = args.at(-1);
	if (typeof done === 'function') {
		done();
	}

	return true;
};
