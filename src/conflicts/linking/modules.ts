import {posix} from 'node:path';
import type {Import, LanguageName} from '../source/facts.ts';

const {dirname, join} = posix;

/**
Returns the paths at which an imported module may lie, the likeliest first; none where only a build tool knows.

@param path The file that imports it.
*/
export const modulePaths = (
	language: LanguageName,
	path: string,
	imported: Pick<Import, 'module' | 'name'>,
): readonly string[] => ways[language]?.(path, imported) ?? [];

type Way = (path: string, imported: Pick<Import, 'module' | 'name'>) => readonly string[];

const scriptEndings = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

const script: Way = (path, {module}) => {
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
const python: Way = (path, {module, name}) => {
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
const rust: Way = (path, {module}) => {
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

const java: Way = (path, {module, name}) => {
	const root = /^(.*?)(?:java|kotlin|src)\//.exec(path)?.[0] ?? '';
	return name === '*' ? [] : [`${root}${module.replaceAll('.', '/')}/${name}.java`];
};

/** A header lies beside the file, or in one of the usual folders. */
const c: Way = (path, {module}) =>
	/^</.test(module)
		? []
		: [
				join(dirname(path), module),
				...['', 'include/', 'src/', 'lib/'].map(each => join(each, module)),
			];

const ruby: Way = (path, {module}) =>
	module.startsWith('./') ? [`${join(dirname(path), module)}.rb`] : [`lib/${module}.rb`];

/** Folders follow the name, but for the first words of it, which stand for one. */
const php: Way = (_, {module, name}) => {
	const words = [...module.split('\\').filter(word => word !== ''), name];
	const tails = [0, 1, 2].filter(cut => cut < words.length).map(cut => words.slice(cut).join('/'));
	return tails.flatMap(tail => ['', 'src/', 'lib/', 'app/'].map(folder => `${folder}${tail}.php`));
};

const ways: {readonly [Language in LanguageName]?: Way} = {
	typescript: script,
	tsx: script,
	javascript: script,
	python,
	rust,
	java,
	c,
	'c++': c,
	ruby,
	php,
};
