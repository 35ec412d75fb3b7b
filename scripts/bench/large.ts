import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {setInterval} from 'node:timers';
import {execa} from 'execa';
import {typescriptOracle} from '../../src/conflicts/oracle/typescript.ts';
import {usageOf} from '../../src/lib/process/process-table.ts';
import {printTable} from '../../src/lib/text/markdown-table.ts';
import {build} from '../build.ts';

/**
Prints what a comparison of two changed lines costs in repositories of so many small TypeScript files, beside git in the same run.

The files lie in folders of fifty; each imports the one before it, and the first of a folder that of the folder before. `conflicts` is a whole process with all that it starts: the first one, and the best of three that find what it kept; its type checks are what a supervisor pays, for the first comparison and for the next one.
*/
export const benchLarge = async (sizes: readonly number[]): Promise<void> => {
	await build();
	const rows: (readonly string[])[] = [];
	for (const size of sizes) {
		const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-bench-'));
		try {
			rows.push([String(size), ...(await costsIn(folder, size))]);
		} finally {
			await rm(folder, {recursive: true, force: true});
		}
	}

	const names = ['git merge-tree', 'git grep', 'conflicts', 'again', 'in memory', 'again to grep'];
	console.log(printTable([['files', ...names, 'first types', 'next types'], ...rows]));
};

const costsIn = async (folder: string, size: number): Promise<readonly string[]> => {
	await execa('git', ['init', '--quiet', '--bare', folder]);
	await execa('git', ['fast-import', '--quiet'], {
		cwd: folder,
		input: Readable.from(historyOf(size)),
	});
	const git = (...words: readonly string[]) => taken('git', words, folder);
	const own = ['bin/delegate-tui.cjs', 'conflicts', 'x1', 'x2'];
	const program = join(import.meta.dirname, '../..', own[0] ?? '');
	const merged = await bestOf(() => git('merge-tree', '--write-tree', 'x1', 'x2'));
	const grepped = await bestOf(() => git('grep', '--threads=1', '-F', "from '", 'x1'));
	const cache = join(folder, 'cache');
	const compare = () =>
		taken(process.execPath, [program, ...own.slice(1)], folder, {XDG_CACHE_HOME: cache});
	const first = await compare();
	const again = await bestOf(compare);
	const [whole, next] = await typesIn(folder);
	return [
		...[inSeconds(merged.ms), inSeconds(grepped.ms)],
		...[inSeconds(first.ms), inSeconds(again.ms)],
		`${Math.round(Math.max(first.memory, again.memory) / 2 ** 20)} MiB`,
		(again.ms / grepped.ms).toFixed(1),
		...[inSeconds(whole), inSeconds(next)],
	];
};

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** Returns how long the type checker takes for two comparisons, one after the other. */
const typesIn = async (gitDir: string): Promise<readonly [number, number]> => {
	const oidOf = async (name: string) =>
		(await execa('git', ['rev-parse', name], {cwd: gitDir})).stdout;
	const [base, one, other] = [await oidOf('main'), await oidOf('x1'), await oidOf('x2')];
	const oracle = await typescriptOracle.start({store: {gitDir}, runsCode: false});
	const check = async (tree: string) => {
		const began = performance.now();
		await oracle?.check(tree, new AbortController().signal, [base, tree]);
		return performance.now() - began;
	};
	const times = [await check(one), await check(other)] as const;
	await oracle?.close();
	return times;
};

type Taken = {readonly ms: number; readonly memory: number};

const taken = async (
	program: string,
	words: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>> = {},
): Promise<Taken> => {
	const began = performance.now();
	const child = execa(program, words, {cwd, env, stdout: 'ignore', detached: true});
	const {pid = 0} = child;
	let memory = 0;
	const watch = setInterval(() => {
		memory = Math.max(memory, usageOf([pid]).get(pid)?.memory ?? 0);
	}, 20);
	await child.finally(() => clearInterval(watch));
	return {ms: performance.now() - began, memory};
};

const bestOf = async (measure: () => Promise<Taken>): Promise<Taken> => {
	const all = [await measure(), await measure(), await measure()];
	return {
		ms: Math.min(...all.map(({ms}) => ms)),
		memory: Math.max(...all.map(({memory}) => memory)),
	};
};

/** Returns what `git fast-import` reads: a base, and two branches that change a line each. */
function* historyOf(size: number): Generator<string> {
	yield commit('main');
	yield file('tsconfig.json', JSON.stringify({compilerOptions, include: ['src']}));
	for (let number = 0; number < size; number++) {
		yield file(pathOf(number), textOf(number));
	}

	for (const [name, number] of [
		['x1', 3],
		['x2', size / 2 + 3],
	] as const) {
		yield `\n${commit(name)}from refs/heads/main\n`;
		yield file(pathOf(number), `${textOf(number)}export const more${name} = 1;\n`);
	}

	yield '\n';
}

const compilerOptions = {
	...{strict: true, noEmit: true, target: 'esnext', types: [], allowImportingTsExtensions: true},
	...{module: 'preserve', moduleResolution: 'bundler'},
};

const commit = (name: string): string =>
	`commit refs/heads/${name}\ncommitter bench <bench@localhost> 1700000000 +0000\ndata 0\n`;

const file = (path: string, text: string): string =>
	`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;

const inFolder = 50;

const pathOf = (number: number): string => `src/p${Math.floor(number / inFolder)}/m${number}.ts`;

const textOf = (number: number): string => {
	const before = number % inFolder === 0 ? number - inFolder : number - 1;
	const folder = Math.floor(before / inFolder);
	const from = before === number - 1 ? './' : `../p${folder}/`;
	return [
		...(before < 0 ? [] : [`import {f${before}} from '${from}m${before}.ts';`]),
		...Array.from(
			{length: 12},
			(_, at) => `/** Line ${at} of ${number}. */\nconst c${at} = ${at * number};`,
		),
		`export const f${number} = (x: number): number => x + c1 + ${before < 0 ? 0 : `f${before}(1)`};`,
		'',
	].join('\n');
};
