import {posix} from 'node:path';
import type {Import} from './facts.ts';

const {dirname, join} = posix;

export type LanguageName = keyof typeof languages;

export type GrammarName = (typeof languages)[LanguageName]['grammar'];

/** Returns the language of a file by its name; `undefined` if it is not supported. */
export const languageOf = (path: string): LanguageName | undefined =>
	languageNames.find(name => languages[name].files.test(path));

/** Returns the grammar that parses a language; several languages may share one. */
export const grammarOf = (language: LanguageName): GrammarName => languages[language].grammar;

/** Returns the traits of a language that the rules need. */
export const traitsOf = (language: LanguageName): Traits => languages[language];

/** Returns the family of a language, within which languages call each other. */
export const familyOf = (language: LanguageName): string => traitsOf(language).family ?? language;

/** Returns whether a name is built into a language, so that it needs no import. */
export const isBuiltIn = (language: LanguageName, name: string): boolean =>
	traitsOf(language).builtIn?.includes(name) ?? false;

/**
Returns the possible paths of an imported module, the likeliest first; none if only a build tool knows them.

@param path The importing file.
*/
export const modulePaths = (
	language: LanguageName,
	path: string,
	imported: Imported,
): readonly string[] => traitsOf(language).modulePaths?.(path, imported) ?? [];

type Traits = {
	/** Grammar that parses it, by its package's name. */
	readonly grammar: string;
	/** Pattern of its file names. */
	readonly files: RegExp;
	/** Family, if it isn't alone. */
	readonly family?: string;
	/** Names of other files that need an import: each, only those of other packages, or none, since a whole file is included. */
	readonly imports: 'each' | 'of packages' | 'none';
	readonly modulePaths?: ModulePaths;
	/** Built-in names. */
	readonly builtIn?: readonly string[];
	/** True if a folder is a package, whose files use each other's names. */
	readonly folderIsPackage?: true;
	/** True if functions can share a name with different parameters. */
	readonly overloads?: true;
	/** True if interfaces of one name are merged, and enums, too. */
	readonly mergesTypes?: true;
	/** True if a second definition of a name replaces the first one. */
	readonly redefines?: true;
	/** Imports that may share one name: equal ones, or any; an error if absent. */
	readonly importsTwice?: 'the same' | 'anything';
	/** True if a method of the same type can be called without a receiver. */
	readonly impliesReceiver?: true;
	/** True if a missing argument is only undefined. */
	readonly omitsArguments?: true;
	/** True if a missing member fails only at its use. */
	readonly omitsMembers?: true;
	/** True if modules inside a file are like types, not only scopes. */
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

/** Returns paths for Python: packages may begin at the root, in `src` or in any folder above the file. */
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

/** Returns paths for Rust: a crate begins at the nearest `src`; `super` and `self` are relative to the file's own module. */
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

/** Returns paths for C: a header is beside the file, or in one of the usual folders. */
const cModules: ModulePaths = (path, {module}) =>
	/^</.test(module)
		? []
		: [
				join(dirname(path), module),
				...['', 'include/', 'src/', 'lib/'].map(each => join(each, module)),
			];

const rubyModules: ModulePaths = (path, {module}) =>
	module.startsWith('./') ? [`${join(dirname(path), module)}.rb`] : [`lib/${module}.rb`];

/** Returns paths for PHP: folders follow the name, except its first words, which a folder may replace. */
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

/** All supported languages. A new one is a row here and its rules in `languages/`; absent traits are false. */
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

/** All bundled grammars. */
export const grammars: readonly GrammarName[] = [...new Set(languageNames.map(grammarOf))];
