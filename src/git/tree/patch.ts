import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** Returns what leads from one commit or tree to another, as a unified diff for people. */
export const patch = async (store: Store, from: string, to: string): Promise<string> =>
	diffTree(store, ['--patch', '--stat', from, to]);

/** Returns the same without the list of files above it. */
export const plainPatch = async (store: Store, from: string, to: string): Promise<string> =>
	diffTree(store, ['--patch', '--ignore-submodules=none', from, to]);

/** Returns what leads from one commit or tree to another byte for byte, so that git can apply it. */
export const rawPatch = (store: Store, from: string, to: string): Promise<Buffer> =>
	diffBytes(store, ['-M', '--patch', '--binary', from, to]);

/** Returns the same with a move as a removal and an addition, so that each path stands for itself. */
export const rawPatchByPath = (store: Store, from: string, to: string): Promise<Buffer> =>
	diffBytes(store, ['--no-renames', '--ignore-submodules=none', '--patch', '--binary', from, to]);

const diffTree = async (store: Store, args: readonly string[]): Promise<string> =>
	(await diffBytes(store, ['-M', ...args])).toString('utf8');

const diffBytes = async (store: Store, args: readonly string[]): Promise<Buffer> => {
	const always = ['-r', '--no-ext-diff', '--no-textconv'];
	const {stdout} = await sealed(store, ['diff-tree', ...always, ...args]);
	return stdout;
};
