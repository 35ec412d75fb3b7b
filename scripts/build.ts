import {rm} from 'node:fs/promises';
import {rolldown} from 'rolldown';

/**
Bundles the program and all its libraries into `dist/`.

One entry, split at every dynamic import, so that a text command loads no more than it needs.
*/
export const build = async (): Promise<void> => {
	await rm('dist', {recursive: true, force: true});
	const bundle = await rolldown({
		input: {'delegate-tui': 'src/cli/main.ts'},
		platform: 'node',
		transform: {define: {'process.env.NODE_ENV': '"production"'}},
	});
	await bundle.write({
		dir: 'dist',
		format: 'esm',
		minify: true,
		entryFileNames: '[name].js',
		chunkFileNames: '[name]-[hash].js',
	});
	await bundle.close();
};

if (import.meta.main) {
	await build();
}
