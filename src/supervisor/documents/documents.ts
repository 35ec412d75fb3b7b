import {mkdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {Event} from '../../events/event.ts';
import {decodePath, encodePath} from '../../lib/byte-path.ts';
import {writeAtomically} from '../../lib/write-atomically.ts';
import {apply} from '../../state/apply.ts';
import {emptyState, type State} from '../../state/state.ts';
import {contextLine, type HistoryRow, historyRow} from './history.ts';
import {type ProgressEntry, progressEntry} from './progress.ts';
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
	readonly root: string;
	/** Called when a document could not be written; the session goes on without it. */
	readonly onTrouble: (error: unknown) => void;
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

	const write = async (): Promise<void> => {
		if (state.session?.settings.docs !== true) {
			return;
		}

		try {
			await writeRegistry(root, state, rows);
			await addMissing(join(root, 'docs/logs/session_context.md'), '# Session Context', lines);
			await addEntries(root, entries);
		} catch (error) {
			onTrouble(error);
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

const writeRegistry = async (
	root: string,
	state: State,
	rows: readonly HistoryRow[],
): Promise<void> => {
	const path = join(root, 'docs/logs/delegation_registry.md');
	const existing = await textOf(path);
	await replace(path, existing, renderRegistry(state, rows, existing));
};

/** Lines that are there already, perhaps from before a crash, are not added again. */
const addMissing = async (path: string, title: string, lines: readonly string[]): Promise<void> => {
	const existing = await textOf(path);
	const known = new Set(existing.split(/\r?\n/));
	const missing = lines.filter(line => !known.has(line));
	const start = existing === '' ? `${title}\n\n` : endedByLine(existing);
	await replace(
		path,
		existing,
		missing.length === 0 ? existing : `${start}${missing.join('\n')}\n`,
	);
};

const addEntries = async (root: string, entries: readonly ProgressEntry[]): Promise<void> => {
	const path = join(root, 'docs/01_progress.md');
	const existing = await textOf(path);
	const missing = entries.filter(({mark}) => !existing.includes(mark));
	const start = existing === '' ? '# Progress\n' : endedByLine(existing);
	const added = missing.map(({text}) => `\n${text}\n`).join('');
	await replace(path, existing, missing.length === 0 ? existing : `${start}${added}`);
};

const endedByLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** A person's words may be in another encoding than ours; their bytes are carried like those of a name. */
const textOf = async (path: string): Promise<string> => {
	try {
		return decodePath(await readFile(path));
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
			return '';
		}

		throw error;
	}
};

const replace = async (path: string, existing: string, text: string): Promise<void> => {
	if (text !== existing) {
		await mkdir(dirname(path), {recursive: true});
		await writeAtomically(path, encodePath(text));
	}
};
