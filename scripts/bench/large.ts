import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {cpus, loadavg, tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {execa} from 'execa';
import {typescriptOracle} from '../../src/conflicts/oracle/typescript.ts';
import {processTree} from '../../src/lib/process/process-table.ts';
import {printTable} from '../../src/lib/text/markdown-table.ts';
import {listFiles, patchAt} from '../../src/supervisor/show/shown-work.ts';
import {build} from '../build.ts';
import {program} from '../pictures/playground.ts';
import {fetchHistory, type History, makeHistory} from './large/history.ts';
import {watchMemory} from './large/memory.ts';
import {linesOf} from './large/plot.ts';
import {measureSession, seconds} from './large/session.ts';
import {measureSnapshot} from './large/worktree.ts';

/** A public workspace of many packages, at the measured commit. */
const workspace = {
	name: 'babel/babel',
	url: 'https://github.com/babel/babel',
	commit: '1da3cfa1a25503c7ecba7304f8738933e6d16dca',
	files: 27_674,
} as const;

/** A figure, beside git's in the same run; `limit` is its maximum, or that of the ratio if `ofGit` is set. */
type Figure = {
	readonly what: string;
	readonly value: number;
	readonly unit: 's' | 'MB';
	readonly git?: {readonly what: string; readonly value: number};
	readonly limit?: number;
	readonly ofGit?: true;
};

type Measured = {
	readonly name: string;
	readonly files: number;
	readonly figures: readonly Figure[];
};

const docs = resolve(import.meta.dirname, '../../docs/bench');

/**
Measures the costs of large repositories, beside git in the same run: repositories of small TypeScript files, and a public workspace. Prints a table, and stores it with a plot in `docs/bench`.

Processes include their children; alternating comparisons are the best of three.
*/
export const benchLarge = async (sizes: readonly number[]): Promise<void> => {
	await build();
	const load = [loadNow()];
	const measured: Measured[] = [];
	// Nothing is removed before the end, since that would slow what is written next (see `measureSession`).
	const place = await mkdtemp(join(tmpdir(), 'delegate-tui-bench-'));
	try {
		for (const size of [...sizes, undefined]) {
			const folder = join(place, `${size}`);
			const gitDir = join(folder, 'repository.git');
			const history =
				size === undefined
					? await fetchHistory(gitDir, workspace).catch(tellMissing)
					: await makeHistory(gitDir, size);
			if (history !== undefined) {
				const {name, files} = size === undefined ? workspace : {name: `${size}`, files: size};
				measured.push({name, files, figures: await figuresOf(folder, history)});
				console.log(tableOf(measured.slice(-1)));
			}
		}
	} finally {
		await rm(place, {recursive: true, force: true, maxRetries: 5});
	}

	await tell(measured, [...load, loadNow()]);
};

/** Returns the number of processes that ran or waited for a CPU in the last minutes. */
const loadNow = (): string => (loadavg()[1] ?? 0).toFixed(0);

const tellMissing = (error: unknown): undefined => {
	console.error(
		`${workspace.url} can’t be fetched: ${error instanceof Error ? error.message : error}`,
	);
};

const figuresOf = async (folder: string, history: History): Promise<readonly Figure[]> => {
	// Snapshots remove many small files, so they come last.
	const session = await sessionFigures(folder, history);
	return [
		...(await conflictFigures(folder, history)),
		...(await reviewFigures(history)),
		...(await snapshotFigures(folder, history)),
		...session,
	];
};

const conflictFigures = async (
	folder: string,
	{gitDir, main, x1, x2}: History,
): Promise<readonly Figure[]> => {
	const env = {XDG_CACHE_HOME: join(folder, 'cache')};
	const conflicts = [program, 'conflicts', x1, x2];
	const merge = ['merge-tree', '--write-tree', x1, x2];
	const first = await taken(process.execPath, conflicts, gitDir, env);
	const runs = {ours: [first], git: [] as Taken[]};
	for (const _ of [1, 2, 3]) {
		runs.git.push(await taken('git', merge, gitDir));
		runs.ours.push(await taken(process.execPath, conflicts, gitDir, env));
	}

	const git = bestOf(runs.git);
	const again = bestOf(runs.ours.slice(1));
	const oracle = await typescriptOracle.start({store: {gitDir}, runsCode: false});
	const check = (tree: string) =>
		seconds(async () => oracle?.check(tree, new AbortController().signal, [main, tree]));
	const types = [await check(x1), await check(x2)] as const;
	await oracle?.close();
	return [
		inSeconds('conflicts x1 x2', again.seconds, {what: 'merge-tree', value: git.seconds}, 1.5),
		inSeconds('conflicts, the first one', first.seconds),
		{what: 'memory of conflicts', value: again.memory, unit: 'MB', limit: 250},
		inSeconds('types, first comparison', types[0]),
		inSeconds('types, next comparison', types[1]),
	];
};

/** Names each range in another way, since git's answer for a range is cached for a while. */
const reviewFigures = async ({
	gitDir,
	main,
	wide,
	wideFiles,
}: History): Promise<readonly Figure[]> => {
	const ranges = ['', '^{tree}', '^{commit}'].map(kind => [`${main}${kind}`, wide] as const);
	const commands = {setup: [], verify: []};
	const path = wideFiles.at(-1) ?? '';
	const times: Readonly<Record<'raw' | 'patch' | 'list' | 'one' | 'gitOne', number>>[] = [];
	for (const [from, to] of ranges) {
		const args = ['diff-tree', '-r', '--no-renames'];
		times.push({
			raw: await seconds(() => execa('git', [...args, '--raw', main, wide], {cwd: gitDir})),
			patch: await seconds(() => execa('git', [...args, '-p', main, wide], {cwd: gitDir})),
			list: await seconds(async () =>
				JSON.stringify(await listFiles({gitDir}, [from, to], {commands})),
			),
			one: await seconds(() => patchAt({gitDir}, [from, to], [path])),
			gitOne: await seconds(() =>
				execa('git', [...args, '-p', main, wide, '--', path], {cwd: gitDir}),
			),
		});
	}

	const least = (of: keyof (typeof times)[number]) => Math.min(...times.map(one => one[of]));
	const many = `${wideFiles.length} changed files`;
	return [
		inSeconds(
			`names, counts and repeated changes of ${many}`,
			least('list'),
			{what: 'diff-tree -p', value: least('patch')},
			0.5,
		),
		inSeconds('diff of one of them', least('one'), {what: 'the same', value: least('gitOne')}, 0.2),
	];
};

const snapshotFigures = async (folder: string, history: History): Promise<readonly Figure[]> => {
	const {ours, git} = await measureSnapshot(join(folder, 'snapshot'), history);
	const what = `snapshot of ${history.wideFiles.length} changed files`;
	return [{...inSeconds(what, ours, {what: 'add -A', value: git}, 1.1), ofGit: true}];
};

const sessionFigures = async (folder: string, history: History): Promise<readonly Figure[]> => {
	const costs = await measureSession(join(folder, 'session'), history);
	const three = {what: 'three worktree add at once', value: costs.gitStart};
	return [
		{...inSeconds('start of three agents', costs.start, three, 0.7), ofGit: true},
		inSeconds('last review to approval', costs.toApproval, undefined, 5),
		{what: 'memory of all processes meanwhile', value: costs.memory, unit: 'MB', limit: 500},
		{what: 'memory of the supervisor a minute later', value: costs.later, unit: 'MB', limit: 150},
	];
};

const inSeconds = (what: string, value: number, git?: Figure['git'], limit?: number): Figure => ({
	...{what, value, unit: 's'},
	...(git === undefined ? {} : {git}),
	...(limit === undefined ? {} : {limit}),
});

type Taken = {readonly seconds: number; readonly memory: number};

const taken = async (
	command: string,
	words: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>> = {},
): Promise<Taken> => {
	const began = performance.now();
	const child = execa(command, words, {cwd, env, stdout: 'ignore', reject: false});
	const stop = watchMemory(() => processTree(({pid}) => pid === child.pid).map(({pid}) => pid));
	await child;
	return {seconds: (performance.now() - began) / 1000, memory: stop()};
};

const bestOf = (all: readonly Taken[]): Taken => ({
	seconds: Math.min(...all.map(({seconds}) => seconds)),
	memory: Math.max(...all.map(({memory}) => memory)),
});

const tableOf = (measured: readonly Measured[]): string =>
	printTable([
		['files', '', 'measured', 'git', '', 'ratio', 'at most', 'holds'],
		...measured.flatMap(({name, figures}) => figures.map(figure => cellsOf(name, figure))),
	]).trimEnd();

const cellsOf = (
	name: string,
	{what, value, unit, git, limit, ofGit}: Figure,
): readonly string[] => {
	const ratio = git === undefined ? undefined : value / git.value;
	const judged = ofGit ? ratio : value;
	return [
		...[name, what, `${value.toFixed(unit === 's' ? 2 : 0)} ${unit}`],
		...(git === undefined ? ['–', '–'] : [git.what, git.value.toFixed(2)]),
		ratio === undefined ? '–' : `×${ratio.toFixed(ratio < 10 ? 2 : 0)}`,
		limit === undefined ? '–' : ofGit ? `×${limit}` : `${limit} ${unit}`,
		limit === undefined || judged === undefined ? '–' : judged <= limit ? 'yes' : 'no',
	];
};

const tell = async (measured: readonly Measured[], load: readonly string[]): Promise<void> => {
	const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.versions.node}`;
	const date = new Date().toISOString().slice(0, 10);
	const made = measured.filter(({name}) => name !== workspace.name);
	const json = {date, machine, load, workspace, measured};
	await writeFile(join(docs, 'large.json'), `${JSON.stringify(json, null, '\t')}\n`);
	await writeFile(
		join(docs, 'large.svg'),
		linesOf(
			seriesOf(made),
			made.map(({files}) => files),
		),
	);
	await writeFile(
		join(docs, 'large.md'),
		`# Large repositories

On ${date}: ${machine}, with a load of ${load[0]} as it began and ${load[1]} at its end: limits in seconds are for a
machine that does nothing else, ratios for any. \`npm run bench -- large\` writes this page. Repositories of so many small TypeScript
files, and the workspace ${workspace.name} at ${workspace.commit.slice(0, 10)} (${workspace.files} files); memory
counts what processes share once.

${tableOf(measured)}

![How each figure grows with the repository](large.svg)
`,
	);
};

/** Returns the series of each figure over the sizes. */
const seriesOf = (measured: readonly Measured[]) => {
	const kinds = measured[0]?.figures.map(({unit}) => unit) ?? [];
	return kinds.map((unit, at) => ({
		name: (measured.at(-1)?.figures[at]?.what ?? '').replace(/ of \d+ changed files/, ''),
		unit,
		values: measured.map(({figures}) => figures[at]?.value ?? Number.NaN),
	}));
};
