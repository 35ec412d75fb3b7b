import {resolve} from 'node:path';
import {worktrees} from '../checkouts.ts';
import {splitNul} from '../nul.ts';
import type {Repository} from '../repository.ts';
import {user} from '../user.ts';
import {isHarmless} from './harmless.ts';
import {type Parts, partOf} from './part.ts';
import {shownPath} from './shown-path.ts';

/** A setting as git comes upon it, with the file that it stands in. */
type Setting = {readonly key: string; readonly value: string; readonly file: string};

/**
Returns the settings that count in any checkout of the repository, by their keys.

Git itself reads them: it knows which files there are, what they include, and what overrules what. A change of the values, of their order or of where they come from is a change.
*/
export const configParts = async (repository: Repository): Promise<Parts> => {
	const views = new Map<string, Set<string>>();
	const files = new Map<string, Set<string>>();
	const found = [
		await settingsIn(repository.root),
		// Where another checkout's can't be read, git can't work there either.
		...(await Promise.all(
			(await others(repository)).map(root => settingsIn(root).catch(() => [])),
		)),
	];
	for (const [name, settings] of found.flatMap(byName)) {
		setOf(views, name).add(JSON.stringify(settings));
		for (const {file} of settings) {
			setOf(files, name).add(shownPath(repository, file));
		}
	}

	return [...views].map(([name, view]) => [
		name,
		partOf([...view].sort(), `${name} in ${[...setOf(files, name)].join(', ')}`),
	]);
};

/** Each checkout may have settings of its own, and the target may stand in any of them. */
const others = async (repository: Repository): Promise<readonly string[]> => {
	const checkouts = (await worktrees(repository)).filter(({isBare}) => !isBare);
	return checkouts.map(({root}) => root).filter(root => root !== repository.root);
};

const settingsIn = async (root: string): Promise<readonly Setting[]> => {
	const {stdout} = await user(root, ['config', '--list', '-z', '--show-scope', '--show-origin']);
	const fields = splitNul(stdout);
	const settings: Setting[] = [];
	for (let position = 0; position + 2 < fields.length; position += 3) {
		const [scope, origin = '', entry = ''] = fields.slice(position, position + 3);
		const [key = ''] = entry.split('\n', 1);
		// What we say on git's command line is ours.
		if (scope !== 'command' && !isHarmless(key)) {
			const file = resolve(root, origin.replace(/^file:/, ''));
			settings.push({key, value: entry.slice(key.length), file});
		}
	}

	return settings;
};

const byName = (settings: readonly Setting[]) => [
	...Map.groupBy(settings, ({key}) => shownKey(key)),
];

/** A key may hold an address, and that a password; such a part in the middle is not told. */
const shownKey = (key: string): string => {
	const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
	return first === last || /^[\w.-]{1,60}$/.test(key.slice(first + 1, last))
		? key
		: `${key.slice(0, first)}.*${key.slice(last)}`;
};

const setOf = (sets: Map<string, Set<string>>, name: string): Set<string> => {
	const set = sets.get(name) ?? new Set();
	sets.set(name, set);
	return set;
};
