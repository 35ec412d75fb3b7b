import {constants} from 'node:fs';
import {access, mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {asFailure} from '../../lib/failure.ts';

/** Where questions and answers lie as files; `PROTOCOL, Questions on disk`. */
export type QuestionHome = {
	readonly path: string;
	/** Questions that wait, one file each. */
	readonly pending: string;
	/** Those that wait no longer. */
	readonly answered: string;
	/** Answers on their way. */
	readonly answers: string;
	/** Answers that were of no use, each with the reason beside it. */
	readonly rejected: string;
	/** What agents need to go on after an answer. */
	readonly workflows: string;
	/** A line for each answer there ever was. */
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

/** Returns the folders that hold all others. */
export const roomsOf = ({path}: QuestionHome): readonly string[] =>
	['questions', 'answers', 'workflows', 'audit'].map(name => join(path, name));

/** Makes the folders; returns what is wrong with each that can't be written. */
export const prepareHome = async (home: QuestionHome): Promise<readonly string[]> => {
	const tried = await Promise.all(foldersOf(home).map(prepare));
	return tried.filter(trouble => trouble !== undefined);
};

const prepare = async (folder: string): Promise<string | undefined> => {
	try {
		await mkdir(folder, {recursive: true, mode: 0o700});
		await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		return asFailure(error).message;
	}
};

/** Returns whether a text can be the id of a question, and so the name of a file: no path leads out of it. */
export const isFileId = (text: string): boolean =>
	/^[A-Za-z0-9][A-Za-z0-9._-]{0,150}$/.test(text) && !text.includes('..');
