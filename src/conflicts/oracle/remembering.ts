import type {Checked, Oracle} from './oracle.ts';

/** Makes a checker remember what it found in the last trees: of three agents each tree is asked for several times. What it could not say, or was not given the time for, it is asked again. */
export const remembering = (oracle: Oracle): Oracle => {
	const told = new Map<string, Checked>();
	return {
		...oracle,
		check: async (tree, signal) => {
			const checked = told.get(tree) ?? (await oracle.check(tree, signal));
			told.delete(tree);
			told.set(tree, checked);
			for (const oldest of [...told.keys()].slice(0, -most)) {
				told.delete(oldest);
			}

			return checked;
		},
	};
};

/** Three agents and a target are six pairs, with a base, two sides and a merge each. */
const most = 32;
