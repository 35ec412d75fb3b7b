import {mkdir} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {sealed} from '../../../git/process/sealed.ts';
import type {Store} from '../../../git/store/store.ts';
import {worktreePath} from '../../../git/store/worktree-path.ts';
import {entriesOf} from '../../../git/tree/listing.ts';
import {Failure} from '../../../lib/failure.ts';
import {temporaryFolder} from '../../../lib/files/folders.ts';
import {isThere} from '../../../lib/files/reading.ts';
import {programPath} from '../../../lib/process/find-program.ts';
import {runProgram} from '../../../lib/process/run-program.ts';
import {defined} from '../../../lib/values.ts';
import {
	type Checked,
	type Diagnosis,
	type Oracle,
	type OracleContext,
	type OraclePlugin,
	startsPlainly,
} from '../oracle.ts';
import type {Checker} from './checkers.ts';

/** Returns an oracle for a checker that is a program. */
export const commandOracle = (checker: Checker): OraclePlugin => ({
	name: checker.name,
	serves: checker.serves,
	start: async (context, starting) => {
		const program = programPath(checker.program, process.env.PATH);
		if (program === undefined || (checker.runsCode && !context.runsCode)) {
			return;
		}

		const {stdout, stderr} = await runProgram(program, checker.version, {
			env: process.env,
			...defined({signal: starting}),
		});
		return {
			version: /\d+(\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown',
			check: (tree, signal) => check(checker, {program, context, tree, signal}),
			close: async () => {},
		} satisfies Oracle;
	},
});

type Work = {
	readonly program: string;
	readonly context: OracleContext;
	readonly tree: string;
	readonly signal: AbortSignal;
};

const check = async (checker: Checker, work: Work): Promise<Checked> => {
	const {store} = work.context;
	const files = [...(await entriesOf(store, work.tree))].flatMap(([path, {mode}]) =>
		mode.startsWith('100') && checker.serves(path) ? [path] : [],
	);
	const errors =
		files.length === 0
			? []
			: await withScratchTree(store, work.tree, root => run(checker, work, {root, files}));
	// Compilers stop at the first stage that fails, so a missing error proves nothing.
	return {errors, covered: new Set()};
};

const run = async (
	checker: Checker,
	{program, context, signal}: Work,
	{root, files}: {readonly root: string; readonly files: readonly string[]},
): Promise<readonly Diagnosis[]> => {
	const {project = '.', environment} = checker;
	if (!(await isThere(join(root, project)))) {
		return [];
	}

	const {shutIn = startsPlainly} = context;
	const command = [program, ...checker.args(files)];
	const {words, env} = await shutIn({command, tree: root});
	const [first = program, ...rest] = words;
	const {code, ...printed} = await runProgram(first, rest, {
		cwd: root,
		env: {...env, ...environment},
		signal,
	});
	const [stdout, stderr] = [printed.stdout.toString('utf8'), printed.stderr.toString('utf8')];
	const errors = code === null ? undefined : checker.read({root, stdout, stderr});
	if (errors === undefined || (code !== 0 && errors.length === 0)) {
		throw new Failure('internal', `${checker.name} printed nothing that can be read.`, {
			hint: firstLine(stderr) ?? `It ended with code ${code ?? 'none'}.`,
		});
	}

	return errors;
};

const firstLine = (text: string): string | undefined =>
	text.split('\n').find(line => line.trim() !== '');

/** Calls a function with a folder of the files of a tree, for a program that needs files; it is removed afterwards. */
const withScratchTree = async <Result>(
	{gitDir}: Store,
	tree: string,
	use: (root: string) => Promise<Result>,
): Promise<Result> => {
	await using folder = await temporaryFolder(join(tmpdir(), 'delegate-tui-check-'));
	const workTree = worktreePath(folder.path);
	await mkdir(workTree);
	const location = {gitDir, workTree, index: join(folder.path, 'index')};
	await sealed(location, ['read-tree', tree]);
	await sealed(location, ['checkout-index', '--all', '--quiet']);
	return await use(workTree);
};
