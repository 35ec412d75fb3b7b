import {stat} from 'node:fs/promises';
import {homedir, platform} from 'node:os';
import type {Profile} from '../../../agents/profiles/profile.ts';

/** Whether a person has logged in to an agent, as far as that can be seen. */
export type Login =
	| {readonly kind: 'seen'; readonly by: string}
	| {readonly kind: 'not seen'; readonly elsewhere: string | undefined};

/** Looks for signs of a login, and into none of them. */
export const loginOf = async (
	{logins}: Pick<Profile, 'logins'>,
	environment: Readonly<Record<string, string | undefined>>,
): Promise<Login> => {
	const variable = logins.variables.find(name => environment[name]);
	if (variable !== undefined) {
		return {kind: 'seen', by: variable};
	}

	const home = environment.HOME || homedir();
	for (const file of logins.files({home, environment})) {
		if (await holdsSomething(file)) {
			return {kind: 'seen', by: file};
		}
	}

	return {kind: 'not seen', elsewhere: logins.elsewhere?.(platform())};
};

/** After a logout an empty map may be left, in bytes. */
const emptyBytes = 4;

const holdsSomething = async (file: string): Promise<boolean> => {
	const entry = await stat(file).catch(() => undefined);
	return entry?.isFile() === true && entry.size > emptyBytes;
};
