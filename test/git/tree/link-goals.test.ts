import {join} from 'node:path';
import {expect, test} from 'vitest';
import {writeBlob} from '../../../src/git/tree/blobs.ts';
import type {Entry} from '../../../src/git/tree/entry.ts';
import {goalsOf} from '../../../src/git/tree/link-goals.ts';
import {encodePath} from '../../../src/lib/text/byte-path.ts';
import {makeRepository} from '../../helpers/repository.ts';

/** Links of a tree by what they are about, beside where they lead. */
const trees: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
	'a link leads where a file system would follow it': [
		['to-file', 'file', 'inside'],
		['to-folder', './a//b/', 'inside'],
		['a/to-top', '..', 'inside'],
		['a/to-lib', '../lib/file', 'inside'],
		['to-nothing', 'node_modules/pkg/index.js', 'inside'],
		['to-sub', 'sub/readme.md', 'inside'],
	],
	'one that leads out is found, by its own text or through another': [
		['absolute', '/etc/hosts', 'outside'],
		['a/out', '../../x', 'outside'],
		['a/b/c/up', '../../..', 'inside'],
		// Read as text, these stay inside.
		['a/b/c/out', 'up/../secret', 'outside'],
		['a/by-folder', 'b/c/up/../x', 'outside'],
		['chain', 'a/b/c/out/x', 'outside'],
	],
	'a git dir is none of its goals, however it is written': [
		...['.git', '.GIT', 'git~1', '.git.', '.git ', '.g\u200cit', '.git::$INDEX_ALLOCATION'].map(
			(name, index) => [`a/${index}`, `../${name}/hooks/pre-commit`, 'git'] as const,
		),
		['a/deep', 'b/.git/config', 'git'],
		['a/near', '../.github/x', 'inside'],
		['a/same', '../git', 'inside'],
	],
	'what no tree can tell is unknown': [
		['loop-a', 'loop-b', 'unknown'],
		['loop-b', 'loop-a', 'unknown'],
		['by-nothing', 'nothing/../file', 'unknown'],
		['by-file', 'file/../lib', 'unknown'],
		['by-sub', 'sub/inner/../../file', 'unknown'],
	],
	'names are bytes': [
		['odd\udcff', 'a', 'inside'],
		['a/by-odd', '../odd\udcff/../../x', 'outside'],
	],
};

test('links are followed as a file system would, and what leads out or into a git dir is told', async () => {
	const store = {gitDir: join(makeRepository(), '.git')};
	const entries = new Map<string, Entry>([['sub', {mode: '160000', oid: '0'.repeat(40)}]]);
	for (const path of ['file', 'a/b/c/file', 'lib/file']) {
		entries.set(path, {mode: '100644', oid: '0'.repeat(40)});
	}

	for (const [path, text] of Object.values(trees).flat()) {
		entries.set(path, {mode: '120000', oid: await writeBlob(store, encodePath(text))});
	}

	const goals = await goalsOf(store, entries);
	for (const [about, links] of Object.entries(trees)) {
		const found = links.map(([path, text]) => [path, text, goals.get(path)?.leads]);
		expect(found, about).toEqual(links);
	}
});
