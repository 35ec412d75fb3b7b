import {Parser} from 'web-tree-sitter';
import type {Facts} from './facts.ts';
import {loadGrammar, startParser} from './grammar.ts';
import type {GrammarName} from './language-of.ts';
import {languages} from './languages.ts';
import {copySyntax} from './syntax.ts';
import {readFacts} from './walk.ts';

const parsers = new Map<GrammarName, Promise<Parser>>();
let runtime: Promise<void> | undefined;

/** Parses a text and returns its facts. It takes up to some ten milliseconds at once, so screens call it in a worker. */
export const parse = async (grammar: GrammarName, text: string): Promise<Facts> => {
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
	runtime ??= startParser();
	await runtime;
	const parser = new Parser();
	parser.setLanguage(await loadGrammar(grammar));
	return parser;
};
