import {commitTree, type Store} from '../../../git/store/store.ts';
import {entriesOf} from '../../../git/tree/entry.ts';
import {Failure} from '../../../lib/failure.ts';
import type {Checked, OraclePlugin} from '../oracle.ts';
import {readCheck} from './read-check.ts';

/** Runs a command on a commit, in a folder of its own, and returns what it printed. */
export type RunCheck = (
	command: string,
	commit: string,
	signal: AbortSignal,
) => Promise<{readonly ok: boolean; readonly output: string}>;

/**
Makes a command of the project, such as its type check or its build, one that can be asked about trees.

It runs code of the trees, so only a person may have named it.
*/
export const ownCheck = (command: string, run: RunCheck): OraclePlugin => ({
	name: 'the command',
	serves: () => true,
	start: async ({store}) => ({
		version: `\`${command}\``,
		check: async (tree, signal) => {
			const {ok, output} = await run(command, await commitOf(store, tree), signal);
			return ok ? {errors: [], covered: new Set()} : errorsIn(store, tree, output);
		},
		close: async () => {},
	}),
});

/** The same tree gives the same commit. */
const commitOf = (store: Store, tree: string): Promise<string> =>
	commitTree(store, {
		tree: `${tree}^{tree}`,
		parents: [],
		message: 'For a check',
		at: '2000-01-01T00:00:00Z',
	});

/** A build stops at the first stage that fails, so that silence of it says nothing. */
const errorsIn = async (store: Store, tree: string, output: string): Promise<Checked> => {
	const errors = readCheck(output, (await entriesOf(store, tree)).keys());
	if (errors.length === 0) {
		throw new Failure('internal', 'It failed and named no file with a line.');
	}

	return {errors, covered: new Set()};
};
