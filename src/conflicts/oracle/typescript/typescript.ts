import type {API, Diagnostic, Project} from 'typescript/unstable/async';
import type {Checked, Diagnosis, Oracle, OraclePlugin} from '../oracle.ts';
import {findLibrary} from './library.ts';
import {projectsOf} from './projects.ts';
import {type Contents, readSourceTree} from './source-tree.ts';
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
		const fileSystem = createTreeFileSystem(contents);
		const api = new library.API({cwd: root, fs: fileSystem.callbacks});
		let opened: readonly string[] = [];

		const check = async (tree: string): Promise<Checked> => {
			const projects = projectsOf(await readSourceTree(store, tree, contents), contents);
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
			return {errors: unique(errors), covered};
		};

		return {
			version: library.version,
			check: (tree, signal) =>
				untilAborted(
					() => check(tree),
					signal,
					() => kill(api),
				),
			close: () => api.close(),
		} satisfies Oracle;
	},
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

/** A file of several projects is wrong once. */
const unique = (diagnoses: readonly Diagnosis[]): readonly Diagnosis[] => [
	...new Map(diagnoses.map(diagnosis => [JSON.stringify(diagnosis), diagnosis])).values(),
];

const untilAborted = async <Result>(
	work: () => Promise<Result>,
	signal: AbortSignal,
	stop: () => void,
): Promise<Result> => {
	signal.throwIfAborted();
	const {promise: aborted, reject} = Promise.withResolvers<never>();
	const abort = () => {
		stop();
		reject(signal.reason);
	};
	signal.addEventListener('abort', abort, {once: true});
	try {
		return await Promise.race([work(), aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
};

/** Ends its process at once: closed the library's own way, one that hangs would go on. */
const kill = (api: API): void => {
	const {client}: {client?: {process?: {kill?: (signal: string) => void}}} = Object(api);
	client?.process?.kill?.('SIGKILL');
};
