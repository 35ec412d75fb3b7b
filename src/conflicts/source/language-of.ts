/** What a language's files are called, and the grammar that parses them. */
const endings = {
	typescript: {grammar: 'typescript', names: /\.[cm]?ts$/},
	tsx: {grammar: 'tsx', names: /\.tsx$/},
	javascript: {grammar: 'javascript', names: /\.(?:[cm]?js|jsx)$/},
	python: {grammar: 'python', names: /\.pyi?$/},
	go: {grammar: 'go', names: /\.go$/},
	rust: {grammar: 'rust', names: /\.rs$/},
	c: {grammar: 'cpp', names: /\.[ch]$/},
	'c++': {grammar: 'cpp', names: /\.(?:cc|cpp|cxx|hh|hpp|hxx)$/},
	'c#': {grammar: 'c-sharp', names: /\.cs$/},
	ruby: {grammar: 'ruby', names: /\.(?:rb|rake)$/},
	php: {grammar: 'php', names: /\.php$/},
	java: {grammar: 'java', names: /\.java$/},
} as const;

export type LanguageName = keyof typeof endings;

export type GrammarName = (typeof endings)[LanguageName]['grammar'];

/** All grammars that ship with the program. */
export const grammars: readonly GrammarName[] = [
	...new Set(Object.values(endings).map(({grammar}) => grammar)),
];

/** Returns the language of a file by its name; `undefined` where none of ours reads it. */
export const languageOf = (path: string): LanguageName | undefined => {
	const names = Object.keys(endings) as readonly LanguageName[];
	return names.find(name => endings[name].names.test(path));
};

/** Returns the grammar that parses a language; several languages may share one. */
export const grammarOf = (language: LanguageName): GrammarName => endings[language].grammar;
