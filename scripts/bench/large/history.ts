import {Readable} from 'node:stream';
import {execa} from 'execa';
import {readBlobs} from '../../../src/git/tree/blobs.ts';
import {entriesOf} from '../../../src/git/tree/listing.ts';

/** A bare repository with branches to compare: `x1` and `x2` change a line each, `wide` adds a licence to many files. */
export type History = {
	readonly gitDir: string;
	readonly main: string;
	readonly x1: string;
	readonly x2: string;
	readonly wide: string;
	/** Files that `wide` changes. */
	readonly wideFiles: readonly string[];
	/** Unchanged files, far from each other. */
	readonly others: readonly string[];
};

/** Maximum number of files that the codemod changes, and of those with another change. */
const most = {files: 5000, others: 7} as const;

export const licence = '// SPDX-License-Identifier: MIT\n';

/** Makes a repository of small TypeScript files in folders of fifty; each imports the one before it, and the first of a folder that of the folder before. */
export const makeHistory = async (gitDir: string, size: number): Promise<History> => {
	await execa('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir]);
	await fastImport(gitDir, sourcesOf(size));
	return withBranches(gitDir, await commitOf(gitDir, 'main'));
};

/** Fetches one commit of a public repository, without its history. */
export const fetchHistory = async (
	gitDir: string,
	{url, commit}: {readonly url: string; readonly commit: string},
): Promise<History> => {
	await execa('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir]);
	const git = execa({cwd: gitDir});
	await git`git fetch --quiet --depth=1 ${url} ${commit}`;
	await git`git update-ref refs/heads/main ${commit}`;
	return withBranches(gitDir, commit);
};

const withBranches = async (gitDir: string, main: string): Promise<History> => {
	const entries = [...(await entriesOf({gitDir}, main))].filter(
		([path, {mode}]) => mode === '100644' && /^[\w./@-]+\.[jt]s$/.test(path),
	);
	const typed = entries.map(([path]) => path).filter(path => /(?<!\.d)\.ts$/.test(path));
	const at = (share: number): string => typed[Math.floor(typed.length * share)] ?? '';
	const step = Math.max(2, Math.ceil(entries.length / most.files));
	const wide = entries.filter((_, index) => index % step === 0);
	const oids = new Map(entries.map(([path, {oid}]) => [path, oid]));
	const changed = [...wide.map(([path]) => path), at(0.1), at(0.6)];
	const texts = new Map(
		await readBlobs(
			{gitDir},
			changed.map(path => oids.get(path) ?? ''),
		),
	);
	const textOf = (path: string): string => `${texts.get(oids.get(path) ?? '') ?? ''}`;
	await fastImport(gitDir, [
		...branch('x1', main, [[at(0.1), `${textOf(at(0.1))}export const morex1 = 1;\n`]]),
		...branch('x2', main, [[at(0.6), `${textOf(at(0.6))}export const morex2 = 1;\n`]]),
		...branch(
			'wide',
			main,
			wide.map(([path], index) => [
				path,
				`${licence}${textOf(path)}${index < most.others ? `export const other${index} = 1;\n` : ''}`,
			]),
		),
	]);
	return {
		...{gitDir, main},
		...{x1: await commitOf(gitDir, 'x1'), x2: await commitOf(gitDir, 'x2')},
		wide: await commitOf(gitDir, 'wide'),
		wideFiles: wide.map(([path]) => path),
		others: [at(0.3), at(0.5), at(0.8)],
	};
};

const commitOf = async (gitDir: string, name: string): Promise<string> =>
	(await execa('git', ['rev-parse', name], {cwd: gitDir})).stdout;

const fastImport = async (gitDir: string, texts: Iterable<string>): Promise<void> => {
	await execa('git', ['fast-import', '--quiet'], {cwd: gitDir, input: Readable.from(texts)});
};

function* branch(
	name: string,
	from: string,
	files: readonly (readonly [path: string, text: string])[],
): Generator<string> {
	yield `${commit(name)}from ${from}\n`;
	for (const [path, text] of files) {
		yield file(path, text);
	}

	yield '\n';
}

function* sourcesOf(size: number): Generator<string> {
	yield commit('main');
	yield file('tsconfig.json', JSON.stringify({compilerOptions, include: ['src']}));
	for (let number = 0; number < size; number++) {
		yield file(`src/p${Math.floor(number / inFolder)}/m${number}.ts`, textOf(number));
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
