import type {Checked, Oracle} from './oracle.ts';

/** Makes a checker remember what it found in the last trees: of three agents each tree is asked for several times. What it could not say, or was not given the time for, it is asked again. */
export const withCache = (oracle: Oracle): Oracle => {
	const known = new Map<string, Checked>();
	return {
		...oracle,
		check: async (tree, signal) => {
			const checked = known.get(tree) ?? (await oracle.check(tree, signal));
			known.delete(tree);
			known.set(tree, checked);
			for (const oldest of [...known.keys()].slice(0, -most)) {
				known.delete(oldest);
			}

			return checked;
		},
	};
};

/** Three agents and a target are six pairs, with a base, two sides and a merge each. */
const most = 32;
