import {join} from 'node:path';
import {execa} from 'execa';
import {filesOf} from '../../../git/tree-files.ts';
import {Failure} from '../../../lib/failure.ts';
import {programPath} from '../../../lib/find-program.ts';
import {isThere} from '../../../lib/is-there.ts';
import type {Oracle, OraclePlace, OraclePlugin} from '../oracle.ts';
import type {Checker} from './checker.ts';
import {withScratchTree} from './scratch-tree.ts';

/** Makes a checker that is a program one that can be asked about trees. */
export const commandOracle = (checker: Checker): OraclePlugin => ({
	name: checker.name,
	serves: checker.serves,
	start: async place => {
		const program = await programPath(checker.program, process.env.PATH);
		if (program === undefined || (checker.runsCode && !place.runsCode)) {
			return;
		}

		const {stdout = '', stderr = ''} = await execa(program, checker.version, options);
		return {
			version: /\d+(\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown',
			check: (tree, signal) => check(checker, {program, place, tree, signal}),
			close: async () => {},
		} satisfies Oracle;
	},
});

type Work = {
	readonly program: string;
	readonly place: OraclePlace;
	readonly tree: string;
	readonly signal: AbortSignal;
};

const check = async (checker: Checker, {program, place: {store}, tree, signal}: Work) => {
	const files = [...(await filesOf(store, tree)).keys()].filter(checker.serves);
	return files.length === 0
		? []
		: withScratchTree(store, tree, async root => {
				const {project = '.'} = checker;
				if (!(await isThere(join(root, project)))) {
					return [];
				}

				const {
					exitCode: code,
					stdout,
					stderr,
				} = await execa(program, checker.args(files), {
					...options,
					cwd: root,
					env: checker.environment,
					cancelSignal: signal,
				});
				signal.throwIfAborted();
				const diagnoses =
					code === undefined ? undefined : checker.read({root, code, stdout, stderr});
				if (diagnoses === undefined) {
					throw new Failure('internal', `${checker.name} said nothing that we can read.`, {
						hint: firstLine(stderr) ?? `It ended with code ${code ?? 'none'}.`,
					});
				}

				return diagnoses;
			});
};

const options = {
	reject: false,
	stdin: 'ignore',
	maxBuffer: 2 ** 26,
	forceKillAfterDelay: 1000,
} as const;

const firstLine = (text: string): string | undefined =>
	text.split('\n').find(line => line.trim() !== '');
