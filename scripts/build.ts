import {rename, rm} from 'node:fs/promises';
import {rolldown} from 'rolldown';
import {plugins} from './bundle/plugins.ts';

/**
Bundles the program and all its libraries into `dist/`.

One entry, split at every dynamic import, so that a text command loads no more than it needs. It is made aside and moved into place, so that a program which starts meanwhile finds the old bundle or the new one.
*/
export const build = async (): Promise<void> => {
	const making = `dist.${process.pid}`;
	await bundle({'delegate-tui': 'src/cli/main.ts'}, making);
	const old = `${making}.old`;
	await rename('dist', old).catch(() => {});
	await rename(making, 'dist');
	await rm(old, {recursive: true, force: true});
};

/** Bundles programs, by the names that they get, with all their libraries into a folder. */
export const bundle = async (
	input: Readonly<Record<string, string>>,
	directory: string,
): Promise<void> => {
	const made = await rolldown({
		input: {...input},
		platform: 'node',
		transform: {define: {'process.env.NODE_ENV': '"production"'}},
		plugins: [...plugins],
	});
	await made.write({
		dir: directory,
		format: 'esm',
		minify: true,
		entryFileNames: '[name].js',
		chunkFileNames: '[name]-[hash].js',
	});
	await made.close();
};

if (import.meta.main) {
	await build();
}
