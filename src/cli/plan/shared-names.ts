import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {parse} from 'yaml';
import type {Plan} from '../../events/plan.ts';
import {isObject} from '../../lib/values.ts';

export const sharedHint =
	'take them from DELEGATE_PORT, DELEGATE_SLOT or COMPOSE_PROJECT_NAME: docs/plan.md, What worktrees don’t share';

/** Lists in one line the fixed ports, container names and external volumes that all worktrees of a checkout share. Reads the usual files at its root, except variables that the plan sets in the worktrees' copies. */
export const sharedNames = async (
	root: string,
	copy: Plan['copy'] = [],
): Promise<string | undefined> => {
	const names = (await readdir(root).catch(() => [])).toSorted();
	const found = names.map(async name => {
		const [, find] = finders.find(([file]) => file.test(name)) ?? [];
		if (find === undefined) {
			return [];
		}

		const text = await readFile(join(root, name), 'utf8').catch(() => '');
		const words = find(text, variablesSetIn(name, copy));
		return words.length === 0 ? [] : [`${[...new Set(words)].join(', ')} (${name})`];
	});
	const all = (await Promise.all(found)).flat();
	return all.length === 0 ? undefined : `all worktrees share ${all.join(', ')}`;
};

/** Returns the variables that `copy` sets in a file; paths are as typed: `./.env` is `.env`. */
const variablesSetIn = (name: string, copy: Plan['copy']): readonly string[] =>
	copy.flatMap(entry =>
		typeof entry !== 'string' && join(entry.from) === name ? Object.keys(entry.set) : [],
	);

type Finder = (text: string, set: readonly string[]) => readonly string[];

const portsIn = (text: string, pattern: RegExp): readonly string[] =>
	[...text.matchAll(pattern)].map(([, port = '']) => `port ${port}`);

const portVariables: Finder = (text, set) =>
	[...text.matchAll(/^\s*(?:export\s+)?(\w*PORT)\s*=\s*["']?(\d{2,5})\b/gm)]
		.filter(([, variable = '']) => !set.includes(variable))
		.map(([, , port = '']) => `port ${port}`);

/** Returns the names in a Compose file; an invalid file has none, and Compose itself reports its errors. */
const composeNames: Finder = text => {
	try {
		return namesBelow(parse(text, {logLevel: 'silent'}));
	} catch {
		return [];
	}
};

const namesBelow = (value: unknown): readonly string[] =>
	isObject(value)
		? Object.entries(value).flatMap(([key, below]) => [
				...namesAt(key, below),
				...namesBelow(below),
			])
		: [];

const namesAt = (key: string, value: unknown): readonly string[] => {
	if (key === 'container_name' && typeof value === 'string' && !value.includes('$')) {
		return [`container_name ${value}`];
	}

	if (key === 'external' && value === true) {
		return ['an external volume or network'];
	}

	const published =
		key === 'ports' && Array.isArray(value) ? value : key === 'published' ? [`${value}:`] : [];
	return published.flatMap(port =>
		typeof port === 'string' ? portsIn(port, /^(?:[\d.]+:)?(\d{2,5})(?:-\d+)?:/g) : [],
	);
};

const finders: readonly (readonly [file: RegExp, find: Finder])[] = [
	[/^(docker-)?compose.*\.ya?ml$/, composeNames],
	[/^package\.json$/, text => portsIn(text, /(?:--port[ =]|\s-p[ =]?|\bPORT=)(\d{2,5})\b/g)],
	[/^\.env$/, portVariables],
	[
		/^(playwright|vite)\.config\.[cm]?[jt]s$/,
		text => portsIn(text, /(?:\bport:\s*|localhost:|127\.0\.0\.1:|--port[ =])(\d{2,5})\b/g),
	],
];
