import type {WorkspacePackage} from '../../lib/workspace.ts';
import type {Import} from '../source/facts.ts';
import {familyOf, modulePaths} from '../source/languages.ts';
import type {SourceFile} from './sources.ts';

type Imported = Pick<Import, 'module' | 'name'>;

/** Possible places of an imported module: files, or below a folder. */
type Places = {readonly paths: readonly string[]; readonly folder?: string};

/** Returns the possible paths of an imported module, including those in other packages of the workspace. */
export const pathsOfModule = (file: SourceFile, imported: Imported): readonly string[] => [
	...modulePaths(file.language, file.path, imported),
	...(inWorkspace(file, imported)?.paths ?? []),
];

/** Returns the place of a module that an import takes from a package of the workspace. */
export const inWorkspace = (file: SourceFile, imported: Imported): Places | undefined =>
	file.packages.length === 0 ? undefined : finders[familyOf(file.language)]?.(file, imported);

type Finder = (file: SourceFile, imported: Imported) => Places | undefined;

const below = (folder: string, path: string): string =>
	folder === '' ? path : `${folder}/${path}`;

/** Returns the package with which the name of a module begins, and the rest of the name; the longest name wins. */
const packageOf = (
	{packages}: SourceFile,
	of: readonly WorkspacePackage['of'][],
	module: string,
): {readonly found: WorkspacePackage; readonly rest: string} | undefined => {
	const fitting = packages.filter(
		one => of.includes(one.of) && `${module}/`.startsWith(`${one.name}/`),
	);
	const [found] = fitting.toSorted((one, other) => other.name.length - one.name.length);
	return found && {found, rest: module.slice(found.name.length + 1)};
};

const finders: Readonly<Record<string, Finder>> = {
	script: (file, {module, name}) => {
		if (/^[./]/.test(module)) {
			return undefined;
		}

		const {found, rest = ''} = packageOf(file, ['npm', 'pnpm'], module) ?? {};
		const modules =
			rest === '' ? [...(found?.entries ?? []), 'index', 'src/index'] : [rest, `src/${rest}`];
		return (
			found && {
				folder: found.folder,
				paths: modules.flatMap(each =>
					modulePaths(file.language, below(found.folder, 'package.json'), {
						module: `./${each.replace(/^\.\//, '')}`,
						name,
					}),
				),
			}
		);
	},
	rust: (file, {module, name}) => {
		const [first = '', ...rest] = (module === '' ? name : module).split('::');
		const found = file.packages.find(
			one => one.of === 'cargo' && one.name.replaceAll('-', '_') === first,
		);
		return (
			found && {
				folder: found.folder,
				paths: modulePaths('rust', below(found.folder, 'src/lib.rs'), {
					module: ['crate', ...rest].join('::'),
					name,
				}),
			}
		);
	},
	go: (file, {module}) => {
		const {found, rest = ''} = packageOf(file, ['go'], module) ?? {};
		return found && {paths: [], folder: rest === '' ? found.folder : below(found.folder, rest)};
	},
	// A Python module isn't named after its project, but starts in the `src` of one.
	python: (file, imported) => ({
		paths: file.packages
			.filter(({of}) => of === 'uv')
			.flatMap(({folder}) => modulePaths('python', below(folder, 'src/x.py'), imported)),
	}),
};
