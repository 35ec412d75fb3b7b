import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** Returns what leads from one commit or tree to another, as a unified diff for people. */
export const patch = async (store: Store, from: string, to: string): Promise<string> =>
	diffTree(store, ['--patch', '--stat', from, to]);

/** Returns the same by way of a third tree: first all that leads there, then the rest. */
export const patchInTwo = async (
	store: Store,
	[from, between, to]: readonly [from: string, between: string, to: string],
): Promise<string> => {
	const parts = await Promise.all([
		diffTree(store, ['--stat', from, to]),
		diffTree(store, ['--patch', from, between]),
		diffTree(store, ['--patch', between, to]),
	]);
	const [stat, ...patches] = parts;
	return `${stat}\n${patches.join('')}`;
};

const diffTree = async (store: Store, args: readonly string[]): Promise<string> => {
	const always = ['-r', '-M', '--no-ext-diff', '--no-textconv'];
	const {stdout} = await sealed(store, ['diff-tree', ...always, ...args]);
	return stdout.toString('utf8');
};
