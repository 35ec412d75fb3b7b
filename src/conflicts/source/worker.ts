import {fileURLToPath} from 'node:url';
import {parentPort} from 'node:worker_threads';
import {Language as Grammar, Parser} from 'web-tree-sitter';
import type {Facts} from './facts.ts';
import {c} from './languages/c.ts';
import {csharp} from './languages/csharp.ts';
import {go} from './languages/go.ts';
import {java} from './languages/java.ts';
import {php} from './languages/php.ts';
import {python} from './languages/python.ts';
import {ruby} from './languages/ruby.ts';
import {rust} from './languages/rust.ts';
import {typescript} from './languages/typescript.ts';
import type {GrammarName} from './languages.ts';
import {copySyntax} from './syntax.ts';
import {type Language, readFacts} from './walk.ts';

/** One file to parse. */
export type FileToParse = {readonly grammar: GrammarName; readonly text: string};

// A grammar that fails ends the worker: its memory can't be trusted any more.
parentPort?.on('message', async ({grammar, text}: FileToParse) => {
	parentPort?.postMessage(await parse(grammar, text));
});

const parsers = new Map<GrammarName, Promise<Parser>>();
let runtime: Promise<void> | undefined;

/** Parses a text and returns its facts. It may block for some ten milliseconds, so screens call it in a worker. */
const parse = async (grammar: GrammarName, text: string): Promise<Facts> => {
	const parser = await parserFor(grammar);
	const tree = parser.parse(text);
	if (tree === null) {
		throw new Error('The parser gave up.');
	}

	try {
		const isBroken = tree.rootNode.hasError;
		return readFacts(languages[grammar], {root: copySyntax(tree), text, isBroken});
	} finally {
		tree.delete();
	}
};

const parserFor = (grammar: GrammarName): Promise<Parser> => {
	const known = parsers.get(grammar) ?? makeParser(grammar);
	parsers.set(grammar, known);
	return known;
};

const makeParser = async (grammar: GrammarName): Promise<Parser> => {
	runtime ??= Parser.init({
		locateFile: (name: string) => grammarFile(name, `web-tree-sitter/${name}`),
	});
	await runtime;
	const name = `tree-sitter-${grammar}.wasm`;
	const parser = new Parser();
	parser.setLanguage(
		await Grammar.load(grammarFile(name, `@vscode/tree-sitter-wasm/wasm/${name}`)),
	);
	return parser;
};

/** Returns the path of the parser's file: beside the bundle, or where npm installed it in a clone. */
const grammarFile = (name: string, module: string): string =>
	fileURLToPath(
		import.meta.url.endsWith('.ts')
			? import.meta.resolve(module)
			: new URL(`./grammars/${name}`, import.meta.url),
	);

/** Rules for each grammar's trees. */
const languages: Readonly<Record<GrammarName, Language>> = {
	'c-sharp': csharp,
	cpp: c,
	go,
	java,
	javascript: typescript,
	php,
	python,
	ruby,
	rust,
	tsx: typescript,
	typescript,
};
