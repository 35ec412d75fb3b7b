import {asGlob} from '../../lib/glob.ts';
import {packagePrefix} from '../../lib/workspace.ts';
import {type Composition, withText, writtenIn} from './composition.ts';
import type {Desk} from './desk.ts';
import {type Field, joinWords, splitWords} from './fields.ts';

/** A tracked file; a folder with its number of files, whose name ends with `/`, `./` for the root; or a package by its name. */
export type ScopePath = {readonly name: string; readonly files?: number};

/** Lists the paths that a scope can be picked from: the folders as a tree, with the number of files in each, the workspace packages, then the files. */
export const scopePaths = ({files, packages}: Pick<Desk, 'files' | 'packages'>) => {
	const folders = foldersOf(files);
	const counts = new Map(folders.map(({name, files}) => [name, files]));
	return [
		...folders,
		...packages.map(({name, folder}) => ({
			name: `${packagePrefix}${name}`,
			files: counts.get(folder === '' ? './' : `${folder}/`) ?? 0,
		})),
		...files.map(name => ({name})),
	] satisfies readonly ScopePath[];
};

const foldersOf = (files: readonly string[]): readonly ScopePath[] => {
	const counts = new Map([['./', files.length]]);
	for (const file of files) {
		for (let at = file.indexOf('/'); at >= 0; at = file.indexOf('/', at + 1)) {
			const folder = file.slice(0, at + 1);
			counts.set(folder, (counts.get(folder) ?? 0) + 1);
		}
	}

	return [...counts].map(([name, files]) => ({name, files})).toSorted(inTree);
};

const inTree = ({name: one}: ScopePath, {name: other}: ScopePath): number =>
	other === './' || (one !== './' && one > other) ? 1 : -1;

export const isScope = ({part}: Field): boolean => part === 'allowed' || part === 'forbidden';

/** Returns whether a scope names a folder or file itself, not only a parent. */
export const isInScope = (composition: Composition, field: Field, name: string): boolean =>
	splitWords(writtenIn(composition, field)).includes(globOf(name));

/** Adds a folder or file to a scope, or removes it. */
export const turnedInScope = (
	composition: Composition,
	field: Field,
	name: string,
): Composition => {
	const glob = globOf(name);
	const words = splitWords(writtenIn(composition, field));
	const rest = words.filter(word => word !== glob);
	const turned = rest.length < words.length ? rest : [...words, glob];
	return withText(composition, field, joinWords(turned));
};

const globOf = (name: string): string =>
	name === './'
		? '**'
		: name.startsWith(packagePrefix)
			? name
			: name.endsWith('/')
				? `${asGlob(name)}**`
				: asGlob(name);
