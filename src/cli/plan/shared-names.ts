import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';

export const sharedHint =
	'take them from DELEGATE_PORT, DELEGATE_SLOT or COMPOSE_PROJECT_NAME: docs/plan.md, What worktrees don’t share';

/** Returns in a line what of a checkout can't be told apart between worktrees: fixed ports, names of containers, volumes from outside. Files at its top are read, as far as they are the usual ones. */
export const sharedNames = async (root: string): Promise<string | undefined> => {
	const names = (await readdir(root).catch(() => [])).toSorted();
	const found = names.map(async name => {
		const patterns = kinds.filter(({file}) => file.test(name)).flatMap(kind => kind.patterns);
		const text =
			patterns.length === 0 ? '' : await readFile(join(root, name), 'utf8').catch(() => '');
		const words = patterns.flatMap(([what, pattern]) =>
			[...text.matchAll(pattern)].map(([, value = '']) => `${what} ${value}`.trim()),
		);
		return words.length === 0 ? [] : [`${[...new Set(words)].join(', ')} (${name})`];
	});
	const all = (await Promise.all(found)).flat();
	return all.length === 0 ? undefined : `all worktrees share ${all.join(', ')}`;
};

type Pattern = readonly [what: string, pattern: RegExp];

const kinds: readonly {readonly file: RegExp; readonly patterns: readonly Pattern[]}[] = [
	{
		file: /^(docker-)?compose.*\.ya?ml$/,
		patterns: [
			['port', /^\s*-\s*["']?(?:[\d.]+:)?(\d{2,5}):\d+(?:\/\w+)?["']?\s*$/gm],
			['port', /^\s*published:\s*["']?(\d{2,5})["']?\s*$/gm],
			['container_name', /^\s*container_name:\s*["']?([^\s"'$#]+)["']?\s*$/gm],
			['an external volume or network', /^\s*external:\s*true()\s*$/gm],
		],
	},
	{
		file: /^package\.json$/,
		patterns: [['port', /(?:--port[ =]|\s-p[ =]?|\bPORT=)(\d{2,5})\b/g]],
	},
	{file: /^\.env$/, patterns: [['port', /^\s*(?:export\s+)?\w*PORT\s*=\s*["']?(\d{2,5})\b/gm]]},
	{
		file: /^(playwright|vite)\.config\.[cm]?[jt]s$/,
		patterns: [['port', /(?:\bport:\s*|localhost:|127\.0\.0\.1:|--port[ =])(\d{2,5})\b/g]],
	},
];
