import {constants} from 'node:fs';
import {access, lstat, mkdtemp, rmdir, stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {ifThere, succeeds} from '../../lib/files/reading.ts';
import {foldersOf, type QuestionHome} from './home.ts';

/** A problem that prevents questions and answers as files, or exposes them to others. */
export type HomeTrouble = {
	readonly kind: 'unusable' | 'open';
	readonly path: string;
	/** Rest of a sentence about the path that describes the problem. */
	readonly why: string;
};

/** Checks whether the folders can be used or created, and whether other users may write there; leaves no files. */
export const examineHome = async (home: QuestionHome): Promise<readonly HomeTrouble[]> => {
	const looks = foldersOf(home).map(path => lookAt(path));
	const found = await Promise.all([...looks, lookAtAudit(home.audit)]);
	return found.filter(trouble => trouble !== undefined).filter(isFirst);
};

/** Examines a folder; if it is missing, the parent in which it would be created. */
const lookAt = async (path: string, isAbove = false): Promise<HomeTrouble | undefined> => {
	try {
		const found = await ifThere(stat(path));
		if (found === undefined) {
			return (await ifThere(lstat(path))) === undefined
				? lookAt(dirname(path), true)
				: {kind: 'unusable', path, why: 'is a link that leads nowhere'};
		}

		if (!found.isDirectory()) {
			return {kind: 'unusable', path, why: 'is not a folder'};
		}

		await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
		if (isAbove && !(await holdsFolders(path))) {
			return {kind: 'unusable', path, why: 'can hold no folders'};
		}

		return (found.mode & 0o022) !== 0 && (found.mode & 0o1000) === 0
			? {kind: 'open', path, why: 'can be written by other users'}
			: undefined;
	} catch {
		return {kind: 'unusable', path, why: 'can’t be read and written by you'};
	}
};

/** Returns whether a folder can be created there, by trying: /proc refuses it despite its mode. */
const holdsFolders = (path: string): Promise<boolean> =>
	succeeds(mkdtemp(join(path, '.delegate-tui-')).then(rmdir));

const lookAtAudit = async (path: string): Promise<HomeTrouble | undefined> => {
	try {
		const found = await ifThere(lstat(path));
		if (found === undefined) {
			return undefined;
		}

		if (!found.isFile()) {
			return {kind: 'unusable', path, why: 'is not a file'};
		}

		await access(path, constants.R_OK | constants.W_OK);
		return undefined;
	} catch {
		return {kind: 'unusable', path, why: 'can’t be read and written by you'};
	}
};

/** Returns whether a problem is the first with its path, so that it is reported once. */
const isFirst = ({path}: HomeTrouble, index: number, all: readonly HomeTrouble[]): boolean =>
	all.findIndex(other => other.path === path) === index;
