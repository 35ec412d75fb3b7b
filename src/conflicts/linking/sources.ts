import {setTimeout} from 'node:timers';
import type {UnreadFile} from '../../events/finding.ts';
import type {Store} from '../../git/store/store.ts';
import {blobSizes, readBlobs} from '../../git/tree/blobs.ts';
import {dropOldest} from '../../lib/values.ts';
import type {WorkspacePackage} from '../../lib/workspace.ts';
import type {Facts} from '../source/facts.ts';
import {type GrammarName, grammarOf, type LanguageName, languageOf} from '../source/languages.ts';
import {makeReader, type Reader, type Unread} from '../source/reader.ts';

/** A file of a tree, and its facts about names. */
export type SourceFile = {
	readonly path: string;
	readonly oid: string;
	readonly language: LanguageName;
	readonly facts: Facts;
	/** Packages of its workspaces. */
	readonly packages: readonly WorkspacePackage[];
};

/** A file without its workspace's packages. */
export type ReadFile = Omit<SourceFile, 'packages'>;

type Sources = {
	/** Reads files in known languages; others are in neither list, and vendored files count as unread. */
	readonly read: (
		store: Store,
		files: readonly Pick<Wanted, 'path' | 'oid'>[],
		signal: AbortSignal,
	) => Promise<{readonly files: readonly ReadFile[]; readonly unread: readonly UnreadFile[]}>;
	/** Ends the thread that parses, until the next file that isn't cached. */
	readonly endParsing: () => Promise<void>;
};

type Wanted = Pick<SourceFile, 'path' | 'oid' | 'language'> & {readonly key: string};

/** Returns a reader of source files in a store, which caches the last ones by content. */
export const makeSources = (): Sources => {
	const reader = makeReader();
	const known = new Map<string, Facts | Unread>();
	let idle: NodeJS.Timeout | undefined;
	return {
		endParsing: () => reader.close(),
		read: async (store, files, signal) => {
			clearTimeout(idle);
			idle = setTimeout(() => known.clear(), idleMs);
			idle.unref();
			const wanted = files.flatMap(asWanted);
			const missing = wanted.filter(({key}) => !known.has(key));
			for await (const [key, facts] of readMissing(store, reader, missing)) {
				signal.throwIfAborted();
				known.set(key, facts);
			}

			const read = wanted.map(file => ({...file, facts: known.get(file.key) ?? 'no text'}));
			forget(known, wanted);
			const foreign = files.filter(({path}) => languageOf(path) !== undefined && isForeign(path));
			return {
				files: read.flatMap(({key, facts, ...file}) =>
					typeof facts === 'string' ? [] : [{...file, facts}],
				),
				unread: [
					...foreign.map(({path}) => ({path, why: 'not ours' as const})),
					...read.flatMap(({path, facts}) =>
						typeof facts === 'string' ? [{path, why: facts}] : [],
					),
				],
			};
		},
	};
};

const largest = 1_000_000;
const remembered = 3000;

/** Time after which unused files are dropped from the cache, in milliseconds. */
const idleMs = 60_000;

/** Returns whether a file is vendored or generated; agents rarely break those. */
const isForeign = (path: string): boolean =>
	/(?:^|\/)(?:node_modules|vendor|third_party)\/|\.min\.[cm]?js$|\.pb\.go$|_pb2\.py$/.test(path);

const asWanted = ({path, oid}: Pick<Wanted, 'path' | 'oid'>): readonly Wanted[] => {
	const language = languageOf(path);
	return language === undefined || isForeign(path)
		? []
		: [{path, oid, language, key: `${grammarOf(language)} ${oid}`}];
};

async function* readMissing(
	store: Store,
	reader: Reader,
	missing: readonly Wanted[],
): AsyncGenerator<[string, Facts | Unread]> {
	const sizes = await blobSizes(store, oidsOf(missing));
	const isSmall = ({oid}: Wanted) => (sizes.get(oid) ?? 0) <= largest;
	const blobs = await readBlobs(store, oidsOf(missing.filter(isSmall)));
	const once = new Map(missing.map(file => [file.key, file]));
	for (const [key, file] of once) {
		const content = blobs.get(file.oid);
		yield [
			key,
			isSmall(file) ? await readOne(reader, grammarOf(file.language), content) : 'too large',
		];
	}
}

const oidsOf = (files: readonly Wanted[]): readonly string[] => files.map(({oid}) => oid);

const readOne = async (
	reader: Reader,
	grammar: GrammarName,
	content: Buffer | undefined,
): Promise<Facts | Unread> =>
	content === undefined || content.includes(0)
		? 'no text'
		: reader.read({grammar, text: content.toString('utf8')});

/** Evicts the least recently used files. */
const forget = (known: Map<string, Facts | Unread>, used: readonly Wanted[]): void => {
	for (const {key} of used) {
		const facts = known.get(key);
		known.delete(key);
		// A timeout may come from a busy machine, so it is not cached.
		if (facts !== undefined && facts !== 'parser took too long') {
			known.set(key, facts);
		}
	}

	dropOldest(known, remembered);
};
