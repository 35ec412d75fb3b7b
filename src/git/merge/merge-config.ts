import {homedir} from 'node:os';
import {join} from 'node:path';
import {lineOf} from '../process/result.ts';
import {user} from '../process/user.ts';

/**
Returns what a merge in a repository goes by, as far as that is the person's own: settings, and attributes that are no project's.

A driver or filter of theirs is a program, and none of them is run: their files are merged as git does without one.
*/
export const mergeConfig = async (cwd: string): Promise<Readonly<Record<string, string>>> => {
	const {stdout} = await user(cwd, ['config', '--null', '--get-regexp', mergeKeys], {
		expect: [0, 1],
	});
	const records = stdout.toString('utf8').split('\0').slice(0, -1);
	const own = records.map(record => record.split('\n'));
	return {
		...gitsOwn,
		'core.attributesFile': await attributesFile(cwd),
		...Object.fromEntries(own.map(([key = '', value = 'true']) => [nameOf(key), value])),
	};
};

/** What git itself does with a folder that one side moved, unless the person's settings say otherwise. */
const gitsOwn = {'merge.directoryRenames': 'conflict'};

/** Settings that change what a merge comes to, and can't start a program. */
const mergeKeys =
	'^(merge\\.(renames|directoryrenames|renamelimit|default|renormalize)|diff\\.(renames|renamelimit)|core\\.(autocrlf|eol))$';

/** Git prints keys in lower case. */
const nameOf = (key: string): string =>
	key === 'merge.directoryrenames' ? 'merge.directoryRenames' : key;

/** Where git looks by itself, unless a person names another file; it need not be there. */
const attributesFile = async (cwd: string): Promise<string> => {
	const named = await user(cwd, ['config', '--type=path', 'core.attributesFile'], {
		expect: [0, 1],
	});
	const {XDG_CONFIG_HOME: home = ''} = process.env;
	return named.code === 0
		? lineOf(named)
		: join(home === '' ? join(homedir(), '.config') : home, 'git', 'attributes');
};
