import {constants, type FSWatcher, readdirSync, statSync, watch} from 'node:fs';
import {access, lstat, rename} from 'node:fs/promises';
import {join} from 'node:path';
import {asFailure, attempt} from '../../lib/failure.ts';
import {makeFolders} from '../../lib/files/folders.ts';
import {ifThere, isAbsence, openRegularFile} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {withoutStop} from '../../lib/text/words.ts';

/** Folders of question and answer files; `PROTOCOL, Questions on disk`. */
export type QuestionHome = {
	readonly path: string;
	/** Waiting questions, one file each. */
	readonly pending: string;
	/** Closed questions. */
	readonly answered: string;
	/** New answers. */
	readonly answers: string;
	/** Invalid answers, each with the reason beside it. */
	readonly rejected: string;
	/** Checkpoints from which agents continue after an answer. */
	readonly workflows: string;
	/** Log with a line for each answer. */
	readonly audit: string;
};

export const questionHome = (path: string): QuestionHome => ({
	path,
	pending: join(path, 'questions', 'pending'),
	answered: join(path, 'questions', 'answered'),
	answers: join(path, 'answers'),
	rejected: join(path, 'answers', 'rejected'),
	workflows: join(path, 'workflows'),
	audit: join(path, 'audit', 'questions.log'),
});

/** Returns all folders that questions need. */
export const foldersOf = (home: QuestionHome): readonly string[] => [
	home.pending,
	home.answered,
	home.answers,
	home.rejected,
	home.workflows,
	join(home.path, 'audit'),
];

/** Returns the folders that contain all others. */
export const roomsOf = ({path}: QuestionHome): readonly string[] =>
	['questions', 'answers', 'workflows', 'audit'].map(name => join(path, name));

/** Returns a text that changes whenever an entry of the question folders is created, moved or removed; `undefined` if there are files, which can also be written in place. Synchronous: doing it in threads took half the time of an idle supervisor. */
export const standOf = (homes: readonly QuestionHome[]): string | undefined => {
	const written = homes.flatMap(({pending, answers}) => [pending, answers]);
	const names = written.flatMap(folder => attempt(() => readdirSync(folder)) ?? []);
	if (names.some(name => /\.(?:json|txt)$/.test(name))) {
		return undefined;
	}

	const folders = new Set(homes.flatMap(home => [home.path, ...roomsOf(home), ...foldersOf(home)]));
	const found = Array.from(folders, folder => attempt(() => statSync(folder, {bigint: true})));
	return found.map(one => [one?.ino, one?.ctimeNs]).join();
};

/** Creates the folders; returns the problem of each that can't be written. */
export const prepareHome = async (home: QuestionHome): Promise<readonly string[]> => {
	const tried = await Promise.all(foldersOf(home).map(prepare));
	return tried.filter(trouble => trouble !== undefined);
};

const prepare = async (folder: string): Promise<string | undefined> => {
	try {
		await makeFolders(folder, 0o700);
		await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		return `Cannot write to ${folder}: ${withoutStop(asFailure(error).message)}.`;
	}
};

/** Returns whether a text is valid as a question's id, and so as a file name that can't leave its folder. */
export const isFileId = (text: string): boolean =>
	/^[A-Za-z0-9][A-Za-z0-9._-]{0,150}$/.test(text) && !text.includes('..');

/** Calls `onChange` whenever the system reports a change in these folders, which some file systems never do; returns a function that stops it. */
export const watchFolders = (folders: readonly string[], onChange: () => void): (() => void) => {
	const watchers = folders.flatMap(folder => watching(folder, onChange));
	return () => {
		for (const watcher of watchers) {
			watcher.close();
		}
	};
};

/** Watches a folder; if that isn't possible, it is still polled. */
const watching = (folder: string, onChange: () => void): readonly FSWatcher[] => {
	try {
		const watcher = watch(folder, {persistent: false}, onChange);
		watcher.on('error', () => watcher.close());
		return [watcher];
	} catch {
		return [];
	}
};

/** Content of a path at which others may have put anything. */
export type Plain =
	| {
			readonly kind: 'text';
			readonly text: string;
			readonly owner: number;
			readonly changedMs: number;
	  }
	| {readonly kind: 'nothing'}
	| {readonly kind: 'unreadable'; readonly why: string};

/** Reads a small text file; rejects links, pipes, long files and text that isn't UTF-8. */
export const readPlain = async (path: string, maximumBytes: number): Promise<Plain> => {
	try {
		await using file = await openRegularFile(path);
		const {size, uid, mtimeMs} = await file.stat();
		if (size > maximumBytes) {
			return unreadable(`it is longer than ${maximumBytes} bytes`);
		}

		const text = decoded(await file.readFile());
		return text === undefined
			? unreadable('it is not UTF-8 text')
			: {kind: 'text', text, owner: uid, changedMs: mtimeMs};
	} catch (error) {
		return isAbsence(error) ? {kind: 'nothing'} : unreadable(reasonOf(error));
	}
};

const unreadable = (why: string): Plain => ({kind: 'unreadable', why});

const decoded = (bytes: Uint8Array): string | undefined => {
	try {
		const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
};

const reasonOf = (error: unknown): string => {
	const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
	return code === undefined ? 'it is not a file' : `it can’t be read (${code})`;
};

/**
Moves an invalid answer aside, with the reason beside it; returns its path and its owner.

The answer is moved without being read, so its type doesn't matter: a link stays a link.
*/
export const setAsideAnswer = async (
	home: QuestionHome,
	name: string,
	why: string,
): Promise<{kept: string; owner: number | null}> => {
	const path = join(home.answers, name);
	const owner = (await ifThere(lstat(path)).catch(() => undefined))?.uid ?? null;
	const kept = await freeName(home.rejected, name);
	await rename(path, kept);
	await writeAtomically(`${kept}.reason`, `${why}\n`, {mode: 0o600});
	return {kept, owner};
};

/** Returns a free name, so that earlier files stay. */
const freeName = async (folder: string, name: string): Promise<string> => {
	for (let number = 1; ; number++) {
		const path = join(folder, number === 1 ? name : `${name}.${number}`);
		if ((await ifThere(lstat(path))) === undefined) {
			return path;
		}
	}
};
