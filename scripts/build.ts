import {rename, rm} from 'node:fs/promises';
import {type Plugin, rolldown} from 'rolldown';

/** Ink imports these tools when they are installed; in a bundle they must be there, or be nothing. */
const withoutDevtools: Plugin = {
	name: 'without-devtools',
	resolveId: id => (id === 'react-devtools-core' ? '\0nothing' : undefined),
	load: id => (id === '\0nothing' ? 'export default {}' : undefined),
};

/**
Bundles the program and all its libraries into `dist/`.

One entry, split at every dynamic import, so that a text command loads no more than it needs. It is made aside and moved into place, so that a program which starts meanwhile finds the old bundle or the new one.
*/
export const build = async (): Promise<void> => {
	const making = `dist.${process.pid}`;
	const bundle = await rolldown({
		input: {'delegate-tui': 'src/cli/main.ts'},
		platform: 'node',
		transform: {define: {'process.env.NODE_ENV': '"production"'}},
		plugins: [withoutDevtools],
	});
	await bundle.write({
		dir: making,
		format: 'esm',
		minify: true,
		entryFileNames: '[name].js',
		chunkFileNames: '[name]-[hash].js',
	});
	await bundle.close();
	const old = `${making}.old`;
	await rename('dist', old).catch(() => {});
	await rename(making, 'dist');
	await rm(old, {recursive: true, force: true});
};

if (import.meta.main) {
	await build();
}
