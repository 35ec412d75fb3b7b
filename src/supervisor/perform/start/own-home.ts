import {mkdir, readdir, symlink} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join} from 'node:path';
import type {Profile} from '../../../agents/profiles/profile.ts';
import {errorCode} from '../../../lib/files/disk-failure.ts';

/**
Returns the variable that gives an agent a home of settings of its own, where the person's holds rules that would let it out; nothing where it doesn't.

It is made of links to all but these rules, so that logins are renewed and conversations kept where the person has them. What the program adds to it stays for its next start.
*/
export const ownHome = async (
	{settingsHome}: Profile,
	environment: Readonly<Record<string, string>>,
	folder: string,
): Promise<Readonly<Record<string, string>>> => {
	if (settingsHome === undefined) {
		return {};
	}

	const {variable, path, rules} = settingsHome;
	const person = path({home: environment.HOME || homedir(), environment});
	const names = await readdir(person).catch(() => []);
	if (!names.some(name => rules.includes(name))) {
		return {};
	}

	const own = ownHomeIn(folder);
	await mkdir(own, {recursive: true, mode: 0o700});
	for (const name of names.filter(name => !rules.includes(name) && !isBesideDatabase(name))) {
		await symlink(join(person, name), join(own, name)).catch(unlessThere);
	}

	return {[variable]: own};
};

/** Where in the folder of an agent's launch its own home is, if it has one. */
export const ownHomeIn = (folder: string): string => join(folder, 'home');

/** SQLite finds these beside the file that a link leads to. */
const isBesideDatabase = (name: string): boolean => /-(?:wal|shm|journal)$/.test(name);

const unlessThere = (error: unknown): void => {
	if (errorCode(error) !== 'EEXIST') {
		throw error;
	}
};
