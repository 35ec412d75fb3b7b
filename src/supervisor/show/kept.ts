import type {Store} from '../../git/store/store.ts';

/** How many texts are kept: a screen asks for the pages of several at a time. */
const mostKept = 4;

const texts = new WeakMap<Store, Map<string, Promise<string>>>();

/** Returns a text that is asked for page by page, and is the same each time; one that could not be made is made again. */
export const kept = (store: Store, key: string, make: () => Promise<string>): Promise<string> => {
	const known = texts.get(store) ?? new Map<string, Promise<string>>();
	texts.set(store, known);
	const text = known.get(key) ?? make();
	known.delete(key);
	known.set(key, text);
	text.catch(() => known.delete(key));
	for (const oldest of [...known.keys()].slice(0, -mostKept)) {
		known.delete(oldest);
	}

	return text;
};
