import {lineOf} from '../process/result.ts';
import {user} from '../process/user.ts';
import {ownFile, settingsLike} from '../settings/of-person.ts';

/**
Returns what a merge in a repository goes by, as far as that is the person's own: settings, and attributes that are no project's.

A driver or filter of theirs is a program, and none of them is run: their files are merged as git does without one.
*/
export const mergeConfig = async (cwd: string): Promise<Readonly<Record<string, string>>> => {
	const own = await settingsLike(cwd, mergeKeys);
	return {
		...gitsOwn,
		'core.attributesFile': await attributesFile(cwd),
		...Object.fromEntries(own.map(([key, value]) => [nameOf(key), value])),
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

const attributesFile = async (cwd: string): Promise<string> => {
	const named = await user(cwd, ['config', '--type=path', 'core.attributesFile'], {
		expect: [0, 1],
	});
	return named.code === 0 ? lineOf(named) : ownFile('attributes');
};
