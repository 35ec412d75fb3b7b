import {decodePath} from '../../lib/text/byte-path.ts';
import {sealed} from '../process/sealed.ts';
import type {Store} from '../store/store.ts';

/** Returns the paths of a tree (or commit) whose text holds each of these words, with one search. */
export const filesNaming = async (
	store: Store,
	tree: string,
	words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
	const found = new Map<string, Set<string>>(words.map(word => [word, new Set()]));
	if (words.length === 0) {
		return new Map();
	}

	const {stdout} = await sealed(store, ['grep', '-I', '-z', '-w', '-F', '-o', '-f', '-', tree], {
		input: words.join('\n'),
		expect: [0, 1],
	});
	for (const line of stdout.toString('latin1').split('\n')) {
		const [named = '', word = ''] = line
			.split('\0')
			.map(field => decodePath(Buffer.from(field, 'latin1')));
		found.get(word)?.add(named.slice(tree.length + 1));
	}

	return new Map([...found].map(([word, paths]) => [word, [...paths]]));
};
