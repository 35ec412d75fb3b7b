import {mkdir, readFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Event} from '../../events/event.ts';
import {Failure} from '../../lib/failure.ts';
import {diskFailure} from '../../lib/files/disk-failure.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {isThere} from '../../lib/files/is-there.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {decodePath, encodePath} from '../../lib/text/byte-path.ts';
import {apply} from '../../state/apply/apply.ts';
import {emptyState} from '../../state/state.ts';
import {contextLine, type HistoryRow, historyRow} from './history.ts';
import {type ProgressEntry, progressEntry} from './progress.ts';
import {realPathIn} from './real-path.ts';
import {renderRegistry} from './registry.ts';
import {inline} from './text.ts';

/** The documents in the person's checkout; `PROTOCOL, Documents in the checkout`. */
export type Documents = {
	/** Takes up events that were written; the files follow shortly after. */
	readonly add: (events: readonly Event[]) => void;
	/** Settles when the files show everything that was added. */
	readonly flush: () => Promise<void>;
};

export type DocumentsParts = {
	/** The checkout that the session was started in. */
	readonly root: string;
	/** Called when other documents than before can't be written, with a sentence for each; the session goes on without them. */
	readonly onTrouble: (troubles: readonly string[]) => void;
};

/** Events that come together are written together, in milliseconds. */
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
		{path: 'docs/logs/delegation_registry.md', text: old => renderRegistry(state, rows, old)},
		{path: 'docs/logs/session_context.md', text: old => withLines(old, lines)},
		{path: 'docs/01_progress.md', text: old => withEntries(old, entries)},
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

		// The same trouble comes back with each event, and is told once, also by one supervisor after the other.
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
			for (const event of events) {
				state = apply(state, event);
				const row = historyRow(state, event);
				const line = contextLine(state, event);
				rows.push(...(row === undefined ? [] : [row]));
				lines.push(...(line === undefined ? [] : [`- ${inline(line)}`]));
				const entry = progressEntry(state, event);
				entries.push(...(entry === undefined ? [] : [entry]));
			}

			timer ??= setTimeout(flush, pauseMs);
		},
		flush,
	};
};

type Document = {
	/** In the checkout. */
	readonly path: string;
	/** Returns what it should be, from what it is; nothing that a person wrote is missing in it. */
	readonly text: (existing: string) => string;
};

/** Returns why it could not be written, if so: the person's own files come before ours. */
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
		return [diskFailureUnlessTold(path, error).message];
	}
};

const diskFailureUnlessTold = (path: string, error: unknown): Failure =>
	error instanceof Failure ? error : diskFailure(`${path} could not be written`, error);

/** Lines that are there already, perhaps from before a crash, are not added again. */
const withLines = (existing: string, lines: readonly string[]): string => {
	const known = new Set(existing.split(/\r?\n/));
	const missing = lines.filter(line => !known.has(line));
	const start = existing === '' ? '# Session Context\n\n' : endedByLine(existing);
	return missing.length === 0 ? existing : `${start}${missing.join('\n')}\n`;
};

const withEntries = (existing: string, entries: readonly ProgressEntry[]): string => {
	const missing = entries.filter(({mark}) => !existing.includes(mark));
	const start = existing === '' ? '# Progress\n' : endedByLine(existing);
	const added = missing.map(({text}) => `\n${text}\n`).join('');
	return missing.length === 0 ? existing : `${start}${added}`;
};

const endedByLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** A person's words may be in another encoding than ours; their bytes are carried like those of a name. */
const textOf = async (path: string): Promise<string> => {
	const bytes = await ifThere(readFile(path));
	return bytes === undefined ? '' : decodePath(bytes);
};
