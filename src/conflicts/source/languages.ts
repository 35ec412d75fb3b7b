import {posix} from 'node:path';
import type {Import} from './facts.ts';

const {dirname, join} = posix;

export type LanguageName = keyof typeof languages;

export type GrammarName = (typeof languages)[LanguageName]['grammar'];

/** Returns the language of a file by its name; `undefined` where none of ours reads it. */
export const languageOf = (path: string): LanguageName | undefined =>
	languageNames.find(name => languages[name].files.test(path));

/** Returns the grammar that parses a language; several languages may share one. */
export const grammarOf = (language: LanguageName): GrammarName => languages[language].grammar;

/** Returns what rules have to know of a language. */
export const traitsOf = (language: LanguageName): Traits => languages[language];

/** Returns the family of a language; languages of one family call each other. */
export const familyOf = (language: LanguageName): string => traitsOf(language).family ?? language;

/** Returns whether a language has the name by itself, so that no import is needed for it. */
export const isBuiltIn = (language: LanguageName, name: string): boolean =>
	traitsOf(language).builtIn?.includes(name) ?? false;

/**
Returns the paths at which an imported module may lie, the likeliest first; none where only a build tool knows.

@param path The file that imports it.
*/
export const modulePaths = (
	language: LanguageName,
	path: string,
	imported: Imported,
): readonly string[] => traitsOf(language).modulePaths?.(path, imported) ?? [];

type Traits = {
	/** The grammar that parses it, as its package names it. */
	readonly grammar: string;
	/** Names of its files. */
	readonly files: RegExp;
	/** Its family, where it isn't alone. */
	readonly family?: string;
	/** Which names of other files need an import of their own: each, those of other packages alone, or none, since a whole file is brought in. */
	readonly imports: 'each' | 'of packages' | 'none';
	readonly modulePaths?: ModulePaths;
	/** Names that it has by itself. */
	readonly builtIn?: readonly string[];
	/** A folder is one package, whose files use each other's names. */
	readonly folderIsPackage?: true;
	/** Functions may share a name, if their parameters differ. */
	readonly overloads?: true;
	/** Interfaces of one name are one, and so are enums. */
	readonly mergesTypes?: true;
	/** A second definition of a name takes the place of the first one. */
	readonly redefines?: true;
	/** What may be imported twice under one name: the same thing, or anything; an error where absent. */
	readonly importsTwice?: 'the same' | 'anything';
	/** A method of the same type may be called without saying whose. */
	readonly impliesReceiver?: true;
	/** An argument that is missing is only undefined. */
	readonly omitsArguments?: true;
	/** A member that is missing shows only when it is used. */
	readonly omitsMembers?: true;
	/** Modules inside a file are like types, and no mere scopes. */
	readonly modulesAreTypes?: true;
};

type Imported = Pick<Import, 'module' | 'name'>;

type ModulePaths = (path: string, imported: Imported) => readonly string[];

const scriptEndings = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

const scriptModules: ModulePaths = (path, {module}) => {
	if (!/^\.\.?(?:\/|$)/.test(module)) {
		return [];
	}

	const target = join(dirname(path), module);
	const stem = target.replace(/\.([cm]?)jsx?$/, '');
	const instead =
		stem === target ? [] : scriptEndings.slice(0, 5).map(ending => `${stem}${ending}`);
	const folder = target.replace(/\/$/, '');
	return [
		target,
		...instead,
		...[...scriptEndings, '.json', '.vue', '.svelte'].map(ending => `${folder}${ending}`),
		...scriptEndings.map(ending => `${folder}/index${ending}`),
	];
};

/** Packages may begin at the root, in `src` or in any folder above the file. */
const pythonModules: ModulePaths = (path, {module, name}) => {
	const dots = /^\.*/.exec(module)?.[0].length ?? 0;
	const words = module
		.slice(dots)
		.split('.')
		.filter(word => word !== '');
	const folders = dots > 0 ? [above(dirname(path), dots - 1)] : roots(path);
	return folders.flatMap(folder => {
		const target = join(folder, ...words);
		const inside = name === '' || name === '*' ? [] : [join(target, name)];
		return [target, ...inside].flatMap(each => [
			join(each, '__init__.py'),
			`${each}.py`,
			`${each}.pyi`,
		]);
	});
};

const above = (folder: string, times: number): string =>
	join(folder, ...Array.from({length: times}, () => '..'));

const roots = (path: string): readonly string[] => {
	const folders = dirname(path).split('/');
	const up = folders.map((_, depth) => folders.slice(0, depth + 1).join('/'));
	return [...new Set(['.', 'src', 'lib', ...up])];
};

/** A crate begins at the nearest `src`; `super` and `self` count from the file's own module. */
const rustModules: ModulePaths = (path, {module}) => {
	const [first, ...rest] = module.split('::');
	const own = ownModule(path);
	const start =
		first === 'crate'
			? path.slice(0, path.lastIndexOf('src/') + 3)
			: first === 'self'
				? own
				: first === 'super'
					? dirname(own)
					: undefined;
	if (start === undefined || !path.includes('src/') || rest.includes('super')) {
		return [];
	}

	return rest.length === 0
		? [`${start}/lib.rs`, `${start}/main.rs`, `${start}/mod.rs`, `${start}.rs`]
		: [`${join(start, ...rest)}.rs`, join(start, ...rest, 'mod.rs')];
};

const ownModule = (path: string): string =>
	/\/(?:mod|lib|main)\.rs$/.test(path) ? dirname(path) : path.replace(/\.rs$/, '');

const javaModules: ModulePaths = (path, {module, name}) => {
	const root = /^(.*?)(?:java|kotlin|src)\//.exec(path)?.[0] ?? '';
	return name === '*' ? [] : [`${root}${module.replaceAll('.', '/')}/${name}.java`];
};

/** A header lies beside the file, or in one of the usual folders. */
const cModules: ModulePaths = (path, {module}) =>
	/^</.test(module)
		? []
		: [
				join(dirname(path), module),
				...['', 'include/', 'src/', 'lib/'].map(each => join(each, module)),
			];

const rubyModules: ModulePaths = (path, {module}) =>
	module.startsWith('./') ? [`${join(dirname(path), module)}.rb`] : [`lib/${module}.rb`];

/** Folders follow the name, but for the first words of it, which stand for one. */
const phpModules: ModulePaths = (_, {module, name}) => {
	const words = [...module.split('\\').filter(word => word !== ''), name];
	const tails = [0, 1, 2].filter(cut => cut < words.length).map(cut => words.slice(cut).join('/'));
	return tails.flatMap(tail => ['', 'src/', 'lib/', 'app/'].map(folder => `${folder}${tail}.php`));
};

const scriptTraits = {
	family: 'script',
	imports: 'each',
	modulePaths: scriptModules,
	builtIn:
		'Array Blob Buffer Error Event EventTarget File FormData Headers Map Node Number Object Promise ReadableStream Request Response Set String Symbol TextDecoder TextEncoder URL URLSearchParams WeakMap WebSocket AbortController AbortSignal clearInterval clearTimeout console crypto describe expect fetch global it jest beforeEach afterEach performance process queueMicrotask setImmediate setInterval setTimeout structuredClone test'.split(
			' ',
		),
} as const;

/** Every language that is read. A new one is a row here and its rules in `languages/`; of what the row leaves out it has nothing. */
const languages = {
	typescript: {
		...scriptTraits,
		grammar: 'typescript',
		files: /\.[cm]?ts$/,
		mergesTypes: true,
	},
	tsx: {
		...scriptTraits,
		grammar: 'tsx',
		files: /\.tsx$/,
		mergesTypes: true,
	},
	javascript: {
		...scriptTraits,
		grammar: 'javascript',
		files: /\.(?:[cm]?js|jsx)$/,
		redefines: true,
		omitsArguments: true,
	},
	python: {
		grammar: 'python',
		files: /\.pyi?$/,
		imports: 'each',
		modulePaths: pythonModules,
		builtIn:
			'ascii bytes callable chr dict exec filter float frozenset input int iter list long map max min next object open ord pow print range reduce round set sorted str sum super tuple type unichr unicode zip basestring ConnectionError FileNotFoundError TimeoutError'.split(
				' ',
			),
		redefines: true,
		importsTwice: 'anything',
		omitsMembers: true,
	},
	go: {
		grammar: 'go',
		files: /\.go$/,
		imports: 'of packages',
		builtIn: 'any cap clear close copy delete error len make max min new panic print'.split(' '),
		folderIsPackage: true,
	},
	rust: {
		grammar: 'rust',
		files: /\.rs$/,
		imports: 'each',
		modulePaths: rustModules,
		builtIn:
			'Box Clone Copy Default Err From FromIterator Into IntoIterator Iterator None Ok Option Result Send Some String Sync ToOwned ToString TryFrom TryInto Vec drop'.split(
				' ',
			),
	},
	c: {
		grammar: 'cpp',
		files: /\.[ch]$/,
		family: 'c',
		imports: 'none',
		modulePaths: cModules,
	},
	'c++': {
		grammar: 'cpp',
		files: /\.(?:cc|cpp|cxx|hh|hpp|hxx)$/,
		family: 'c',
		imports: 'none',
		modulePaths: cModules,
		overloads: true,
		impliesReceiver: true,
	},
	'c#': {
		grammar: 'c-sharp',
		files: /\.cs$/,
		imports: 'none',
		overloads: true,
		impliesReceiver: true,
	},
	ruby: {
		grammar: 'ruby',
		files: /\.(?:rb|rake)$/,
		imports: 'none',
		modulePaths: rubyModules,
		redefines: true,
		importsTwice: 'anything',
		impliesReceiver: true,
		modulesAreTypes: true,
	},
	php: {
		grammar: 'php',
		files: /\.php$/,
		imports: 'of packages',
		modulePaths: phpModules,
	},
	java: {
		grammar: 'java',
		files: /\.java$/,
		imports: 'of packages',
		modulePaths: javaModules,
		builtIn: 'Override Deprecated Iterable Record String Object Thread'.split(' '),
		overloads: true,
		importsTwice: 'the same',
		impliesReceiver: true,
	},
} as const satisfies Readonly<Record<string, Traits>>;

const languageNames = Object.keys(languages) as readonly LanguageName[];

/** All grammars that ship with the program. */
export const grammars: readonly GrammarName[] = [...new Set(languageNames.map(grammarOf))];
