import {lstat, mkdir, readFile, readlink, realpath, stat} from 'node:fs/promises';
import {basename, dirname, join, relative, resolve} from 'node:path';
import type {Event, EventOf} from '../../events/event.ts';
import {Failure} from '../../lib/failure.ts';
import {diskFailure, errorCode, ifThere, isThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {decodePath, encodePath} from '../../lib/text/byte-path.ts';
import {inMarkdown} from '../../lib/text/in-markdown.ts';
import {apply} from '../../state/apply/apply.ts';
import {leftOutNotes} from '../../state/merge/members.ts';
import {emptyState, type State} from '../../state/state.ts';
import {contextLine, type HistoryRow, historyRow} from './history.ts';
import {renderRegistry} from './registry.ts';

/** The documents in the person's checkout; `PROTOCOL, Documents in the checkout`. */
export type Documents = {
	/** Handles written events; the files follow shortly. */
	readonly add: (events: readonly Event[]) => void;
	/** Resolves when the files show all events that were added. */
	readonly flush: () => Promise<void>;
};

export type DocumentsParts = {
	/** Root of the checkout in which the session was started. */
	readonly root: string;
	/** Called when the set of documents that can't be written changes, with a sentence for each; the session continues without them. */
	readonly onTrouble: (troubles: readonly string[]) => void;
};

export const isDocument = (path: string): boolean => (paths as readonly string[]).includes(path);

const paths = [
	'docs/logs/delegation_registry.md',
	'docs/logs/session_context.md',
	'docs/01_progress.md',
] as const;

/** Delay that batches events into one write, in milliseconds. */
const pauseMs = 200;

/** Keeps the documents up to date: a projection of the journal, never a source of truth. */
export const keepDocuments = ({root, onTrouble}: DocumentsParts): Documents => {
	let state = emptyState;
	const rows: HistoryRow[] = [];
	const lines: string[] = [];
	const entries: ProgressEntry[] = [];
	let timer: NodeJS.Timeout | undefined;
	let writing = Promise.resolve();
	let known: string | undefined;
	const documents: readonly Document[] = [
		{path: paths[0], text: old => renderRegistry(state, rows, old)},
		{path: paths[1], text: old => withLines(old, lines)},
		{path: paths[2], text: old => withEntries(old, entries)},
	];

	const write = async (): Promise<void> => {
		if (state.session?.settings.docs !== true) {
			return;
		}

		const troubles: string[] = [];
		if (await isThere(root)) {
			for (const document of documents) {
				troubles.push(...(await writeDocument(root, document)));
			}
		} else {
			troubles.push(`The documents are not written: your checkout ${root} is gone.`);
		}

		// The same trouble recurs with each event, but is reported once, even across supervisors.
		known ??= state.documents.join('\n');
		if (troubles.join('\n') !== known) {
			known = troubles.join('\n');
			onTrouble(troubles);
		}
	};

	const flush = (): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		writing = writing.then(write);
		return writing;
	};

	return {
		add: events => {
			if (state.session?.settings.docs === false) {
				return;
			}

			for (const event of events) {
				state = apply(state, event);
				const row = historyRow(state, event);
				const line = contextLine(state, event);
				rows.push(...(row === undefined ? [] : [row]));
				lines.push(...(line === undefined ? [] : [`- ${inMarkdown(line)}`]));
				const entry = progressEntry(state, event);
				entries.push(...(entry === undefined ? [] : [entry]));
			}

			timer ??= setTimeout(flush, pauseMs);
		},
		flush,
	};
};

type Document = {
	readonly path: string;
	/** Returns the new text, based on the existing one; it keeps all text that a person wrote. */
	readonly text: (existing: string) => string;
};

/** Writes a document; returns the reason if that failed. The person's own files take precedence. */
const writeDocument = async (root: string, {path, text}: Document): Promise<readonly string[]> => {
	try {
		const file = await realPathIn(root, path);
		const existing = await textOf(file);
		const wanted = text(existing);
		if (wanted !== existing) {
			await mkdir(dirname(file), {recursive: true});
			await writeAtomically(file, encodePath(wanted));
		}

		return [];
	} catch (error) {
		return [diskFailure(`${path} could not be written`, error).message];
	}
};

/** Adds lines, except those that are there already, perhaps from before a crash or as an earlier version wrote them. */
const withLines = (existing: string, lines: readonly string[]): string => {
	const known = new Set(existing.split(/\r?\n/).map(unescaped));
	const missing = lines.filter(line => !known.has(unescaped(line)));
	const start = existing === '' ? '# Session Context\n\n' : endedByLine(existing);
	return missing.length === 0 ? existing : `${start}${missing.join('\n')}\n`;
};

const unescaped = (line: string): string => line.replaceAll('\\', '');

const withEntries = (existing: string, entries: readonly ProgressEntry[]): string => {
	const missing = entries.filter(({mark}) => !existing.includes(mark));
	const start = existing === '' ? '# Progress\n' : endedByLine(existing);
	const added = missing.map(({text}) => `\n${text}\n`).join('');
	return missing.length === 0 ? existing : `${start}${added}`;
};

const endedByLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Decodes like a path: the person's text may be in another encoding, and its bytes must survive. */
const textOf = async (path: string): Promise<string> => {
	const bytes = await ifThere(readFile(path));
	return bytes === undefined ? '' : decodePath(bytes);
};

/** An entry of the progress document, and the text in it that shows that it was added already. */
type ProgressEntry = {readonly mark: string; readonly text: string};

type Published = EventOf<'merge.published'>;

/** Returns the entry that an event adds to the progress document: one for each publication, and one for each undo. */
const progressEntry = (state: State, event: Event): ProgressEntry | undefined => {
	switch (event.kind) {
		case 'merge.published':
			return publishedEntry(state, event);
		case 'merge.undone':
			return undoneEntry(state, event);
		default:
			return undefined;
	}
};

const publishedEntry = (state: State, event: Published): ProgressEntry => {
	const mark = markOf(event);
	const agents = state.agents.filter(({id}) => event.agents.includes(id));
	return {
		mark,
		text: [
			...heading(state, event, inMarkdown(state.session?.plan.task ?? '')),
			`- Merged into: ${inMarkdown(state.session?.target ?? '')}`,
			mark,
			...outcomeOf(state, event),
			...agents.map(({id, subtask}) => `- ${id}: ${inMarkdown(subtask.subtask)}`),
			...(event.redoes === undefined ? leftOutNotes(event.leftOut) : []).map(
				note => `- ${inMarkdown(note)}`,
			),
		].join('\n'),
	};
};

/** Returns a mark with the time, since the same merge may be undone and redone more than once. */
const markOf = ({at, commit, redoes}: Published): string =>
	redoes === undefined
		? `- Commit: ${commit}, published ${at}`
		: `- Brought back: ${redoes}, at ${at}`;

const outcomeOf = (state: State, {commit, from, redoes}: Published): readonly string[] => {
	if (redoes !== undefined) {
		return [standsAt(state, commit)];
	}

	return commit === from ? ['- Nothing to merge: it was all there already'] : [];
};

const standsAt = ({session}: State, commit: string): string =>
	`- ${inMarkdown(session?.target ?? '')} is now at: ${commit}`;

/** Returns an entry whose mark has the time, since the same merge may be undone more than once. */
const undoneEntry = (state: State, event: EventOf<'merge.undone'>): ProgressEntry => {
	const mark = `- Taken back: ${event.commit}, at ${event.at}`;
	return {
		mark,
		text: [
			...heading(state, event, `Taken back: ${inMarkdown(state.session?.plan.task ?? '')}`),
			mark,
			standsAt(state, event.to),
		].join('\n'),
	};
};

const heading = ({session}: State, {at}: Event, title: string): readonly string[] => [
	`## ${at.slice(0, 10)} ${title}`,
	'',
	`- Session: ${session?.session ?? ''}`,
];

/**
Returns the real path of a file in a checkout, so that links in the path stay links.

@throws `Failure` of kind `refused` when the path leads out of the checkout, into the git directory or to a dangling link, or when it isn't a regular file.
*/
const realPathIn = async (root: string, path: string): Promise<string> => {
	const file = await follow(join(root, path)).catch(error => {
		throw nowhere(path, error);
	});
	const inside = relative(await realpath(root), file).split('/');
	if (inside[0] === '..') {
		throw refused(path, `a link leads out of your repository, to ${file}`);
	}

	if (inside.some(name => name.toLowerCase() === '.git')) {
		throw refused(path, `a link leads into git’s own folder, to ${file}`);
	}

	const entry = await stat(file).catch(unlessAbsent);
	if (entry !== undefined && !entry.isFile()) {
		throw refused(
			path,
			`${entry.isDirectory() ? 'a folder' : 'something other than a file'} is in its place`,
		);
	}

	return file;
};

/** Resolves links, even if the last one's target doesn't exist yet. */
const follow = async (path: string): Promise<string> => {
	const real = await realpath(path).catch(unlessAbsent);
	if (real !== undefined) {
		return real;
	}

	const file = join(await follow(dirname(path)), basename(path));
	const entry = await lstat(file).catch(unlessAbsent);
	return entry?.isSymbolicLink() ? follow(resolve(dirname(file), await readlink(file))) : file;
};

const unlessAbsent = (error: unknown): undefined => {
	if (errorCode(error) !== 'ENOENT') {
		throw error;
	}
};

const nowhere = (path: string, error: unknown): Failure => {
	const code = errorCode(error);
	if (code === 'ELOOP') {
		return refused(path, 'links lead in a circle');
	}

	return code === 'ENOTDIR'
		? refused(path, 'a file is where its folder should be')
		: diskFailure(`${path} could not be written`, error);
};

const refused = (path: string, why: string): Failure =>
	new Failure('refused', `${path} is not written: ${why}.`, {
		hint: 'put a file in its place, or turn the documents off with "docs: false" in the config',
	});
