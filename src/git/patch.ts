import {sealed} from './sealed.ts';
import type {Store} from './store.ts';

/** Returns what leads from one commit or tree to another, as a unified diff for people. */
export const patch = async (store: Store, from: string, to: string): Promise<string> => {
	const args = ['diff-tree', '-r', '--patch', '--stat', '-M', '--no-ext-diff', '--no-textconv'];
	const {stdout} = await sealed(store, [...args, from, to]);
	return stdout.toString('utf8');
};
