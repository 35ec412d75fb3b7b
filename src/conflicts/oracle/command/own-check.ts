import {commitTree, type Store} from '../../../git/store/store.ts';
import {entriesOf} from '../../../git/tree/entry.ts';
import {Failure} from '../../../lib/failure.ts';
import type {Checked, OraclePlugin} from '../oracle.ts';
import {readCheck} from './read-check.ts';

/** Runs a project's check on a commit, in a folder of its own, and returns what it printed. */
export type RunCheck = (
	commit: string,
	signal: AbortSignal,
) => Promise<{readonly ok: boolean; readonly output: string}>;

export type OwnCheck = {
	/** Returns its commands, asked for when it starts; with none there is nothing to ask. */
	readonly commands: () => readonly string[];
	readonly run: RunCheck;
	/** How long it may work on a merge, in milliseconds; as long as any checker where it is absent. */
	readonly patienceMs?: number;
};

/**
Makes commands of the project, such as its type check or its build, a checker that can be asked about trees.

They run code of the trees, so only a person may have named them.
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
