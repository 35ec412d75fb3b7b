import {createHash} from 'node:crypto';
import {copyFile, cp, glob, mkdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {rolldown} from 'rolldown';
import {wholeProgram} from '../src/cli/program.ts';
import {grammars} from '../src/conflicts/source/languages.ts';
import {plugins} from './bundle/plugins.ts';
import {startGroups} from './bundle/start-groups.ts';
import {manPage} from './man.ts';

/**
Bundles the program and all its libraries into `dist/`.

One entry for the program, one for the thread that reads source files, two for the process of TypeScript and its thread, split at every dynamic import, so that a text command loads no more than it needs. The commands that scripts run most are bundled once more, each by itself: linking files that are shared takes longer than these commands' own work. The bundle is made in another folder and moved into place, so that a program that starts meanwhile finds either the old or the new one.
*/
export const build = async (): Promise<void> => {
	const making = `dist.${process.pid}`;
	await bundle(
		{
			'delegate-tui': 'src/cli/main.ts',
			'source-worker': 'src/conflicts/source/worker.ts',
			'typescript-process': 'src/conflicts/oracle/typescript-process.ts',
			'typescript-thread': 'src/conflicts/oracle/typescript-thread.ts',
		},
		making,
	);
	for (const name of short) {
		await bundle({[name]: `src/cli/short/${name}.ts`}, making);
	}

	await copyGrammars(join(making, 'grammars'));
	await cp('src/web/assets', join(making, 'web'), {recursive: true});
	await cp('src/cli/demo/scenes', join(making, 'scenes'), {recursive: true});
	await writeFile(join(making, 'delegate-tui.1'), manPage(await wholeProgram()));
	const old = `${making}.old`;
	await rename('dist', old).catch(() => {});
	await rename(making, 'dist');
	await rm(old, {recursive: true, force: true});
};

/** Commands that `bin/delegate-tui.cjs` starts without an argument parser. */
const short = ['status', 'inbox', 'answer'];

/** Copies grammars as files beside the bundle: each is loaded only when a file of its language is read. */
const copyGrammars = async (directory: string): Promise<void> => {
	await mkdir(directory);
	const files = [
		'web-tree-sitter/web-tree-sitter.wasm',
		...grammars.map(grammar => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`),
	];
	for (const file of files) {
		await copyFile(join('node_modules', file), join(directory, basename(file)));
	}
};

/** Oldest Node.js with which `bin/delegate-tui.cjs` runs the program. */
export const oldestNode = '22.13';

/** Bundles programs, by name, with all their libraries into a folder. */
export const bundle = async (
	input: Readonly<Record<string, string>>,
	directory: string,
): Promise<void> => {
	const sources = JSON.stringify(await digestOfSources());
	const made = await rolldown({
		input: {...input},
		platform: 'node',
		// The parser's runtime could call code of a grammar; ours contain none.
		// And some commands import statically what others import dynamically.
		checks: {eval: false, ineffectiveDynamicImport: false},
		transform: {
			target: `node${oldestNode}`,
			define: {
				'process.env.NODE_ENV': '"production"',
				'process.env.DELEGATE_TUI_SOURCES': sources,
			},
		},
		// Modules that are placed separately may be beside an entry's own.
		preserveEntrySignatures: 'allow-extension',
		plugins: [...plugins],
	});
	await made.write({
		dir: directory,
		format: 'esm',
		minify: true,
		entryFileNames: '[name].js',
		chunkFileNames: '[name]-[hash].js',
		codeSplitting: startGroups(input),
	});
	await made.close();
};

/** Returns a digest of this program, so that each trusts only its own caches of a journal. */
const digestOfSources = async (): Promise<string> => {
	const hash = createHash('sha256');
	const paths: string[] = ['package-lock.json'];
	for await (const path of glob(['src/**/*.ts', 'src/**/*.tsx'])) {
		paths.push(path);
	}

	for (const path of paths.sort()) {
		hash.update(path).update(await readFile(path));
	}

	return hash.digest('hex');
};

if (import.meta.main) {
	await build();
}
