import {homedir} from 'node:os';
import {join} from 'node:path';
import {splitNul} from '../process/nul.ts';
import {user} from '../process/user.ts';

/** A setting of git's: its key in lower case, and its value. */
export type Setting = readonly [key: string, value: string];

/** Returns the person's settings whose keys match a pattern, as they count in a folder; one that is only named is true. */
export const settingsLike = async (
	folder: string,
	pattern: string,
): Promise<readonly Setting[]> => {
	const {stdout} = await user(folder, ['config', '--null', '--get-regexp', pattern], {
		expect: [0, 1],
	});
	return splitNul(stdout).map(record => {
		const end = record.indexOf('\n');
		return end === -1 ? [record, 'true'] : [record.slice(0, end), record.slice(end + 1)];
	});
};

/** Returns where git looks for a file of the person's for all their repositories, unless a setting names another one; it need not be there. */
export const ownFile = (name: 'attributes' | 'ignore'): string =>
	join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', name);
