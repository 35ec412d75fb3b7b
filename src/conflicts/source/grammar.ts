import {fileURLToPath} from 'node:url';
import {Language as Grammar, Parser} from 'web-tree-sitter';

/** Grammars lie beside the bundle; in a clone they are where npm put them. */
const isBundled = !import.meta.url.endsWith('.ts');

/**
Loads the parser's runtime, once.

@throws when the files that ship with the program aren't there.
*/
export const startParser = (): Promise<void> =>
	Parser.init({
		locateFile: (name: string) =>
			fileURLToPath(
				isBundled
					? new URL(`./grammars/${name}`, import.meta.url)
					: new URL(import.meta.resolve(`web-tree-sitter/${name}`)),
			),
	});

/** Loads a grammar such as `python`. */
export const loadGrammar = (name: string): Promise<Grammar> => {
	const file = `tree-sitter-${name}.wasm`;
	return Grammar.load(
		fileURLToPath(
			isBundled
				? new URL(`./grammars/${file}`, import.meta.url)
				: import.meta.resolve(`@vscode/tree-sitter-wasm/wasm/${file}`),
		),
	);
};
