import {addedImports, addedReferences, type In} from '../../linking/differences.ts';
import type {LinkedSide} from '../../linking/linking.ts';
import type {SourceFile} from '../../linking/sources.ts';
import {pathsOfModule} from '../../linking/workspace.ts';
import type {Facts, Import} from '../../source/facts.ts';
import {familyOf} from '../../source/languages.ts';
import type {Found, NameRule} from './rule.ts';

/** A name that a file takes from a module, with the line of its import or of its use. */
type Taken = Pick<Import, 'module' | 'name' | 'line' | 'isConditional'>;

/** Returns the members of wholly imported modules that a file uses: for `shop.price`, `price` of the module `shop`. */
const membersIn = ({imports, references, locals}: Facts): readonly Taken[] =>
	references.flatMap(({name, receiver, line}) =>
		imports
			.filter(each => each.name === '' && each.local !== '' && each.local === receiver)
			.filter(({local}) => !locals.includes(local))
			.map(({module, isConditional}) => ({module, name, line, isConditional})),
	);

/** Returns the imports that a side added, and the members of modules that it newly uses. */
const addedNames = (user: LinkedSide): readonly (In<Taken> & {readonly isMember: boolean})[] => [
	...addedImports(user).map(one => ({...one, isMember: false})),
	...addedReferences(user)
		.filter(({file, said}) => said.receiver !== undefined && isScript(file))
		.flatMap(({file, said}) =>
			membersIn({...file.facts, references: [said]}).map(member => ({
				file,
				said: member,
				isMember: true,
			})),
		),
];

/** I2: one side removed or renamed a name of a module, the other one added an import of it. */
export const removedExport: NameRule<'IMPORT_CONFLICT'> = async (linking, {breaker, user}) => {
	const found: Found<'IMPORT_CONFLICT'>[] = [];
	for (const {file, said, isMember} of addedNames(user)) {
		const paths = pathsOfModule(file, said);
		const change = breaker.changes.find(
			({path, before, after}) => before && after && paths.includes(path),
		);
		const before = change?.before;
		if (before === undefined || ['', '*'].includes(said.name) || !offers(before, said.name)) {
			continue;
		}

		const home = await linking.merged(before.path);
		const after = await linking.merged(file.path);
		const isStill =
			after &&
			[...after.facts.imports, ...membersIn(after.facts)].some(
				each => each.module === said.module && each.name === said.name,
			);
		const all = await linking.paths();
		const isElsewhere = paths.some(path => path !== before.path && all.has(path));
		if (home === undefined || !isStill || isElsewhere || mayOffer(home, said.name)) {
			continue;
		}

		// Rule A1 reports a definition that was removed there.
		if (isMember && !home.facts.definitions.some(({name}) => name === said.name)) {
			continue;
		}

		const isSure = !said.isConditional;
		found.push({
			rule: 'I2',
			path: file.path,
			names: [said.module, said.name],
			blocking: isSure,
			confidence: isSure ? 'high' : 'low',
			summary: `${file.path} imports ${said.name} from ${said.module}, but the other side removed or renamed it there.`,
			evidenceLines: [
				{side: breaker, file: before, lines: linesOf(before, said.name), removed: true},
				{side: user, file, lines: [said.line]},
			],
		});
	}

	return found;
};

const isScript = ({language}: SourceFile): boolean => familyOf(language) === 'script';

/** Returns whether a module certainly exports the name. */
const offers = (file: SourceFile, name: string): boolean =>
	isScript(file)
		? file.facts.exports.some(each => each.name === name)
		: file.facts.definitions.some(each => each.name === name && each.scope === '') ||
			file.facts.imports.some(({local}) => local === name);

/** Returns whether a module may export the name, as far as it can be read. */
const mayOffer = (file: SourceFile, name: string): boolean => {
	const {facts} = file;
	const isOpen =
		facts.isBroken ||
		facts.exports.some(each => each.name === '*') ||
		(!isScript(file) && facts.imports.some(each => each.name === '*')) ||
		facts.definitions.some(each => each.name === '__getattr__' && each.scope === '');
	return isOpen || offers(file, name) || (!isScript(file) && facts.locals.includes(name));
};

const linesOf = ({facts}: SourceFile, name: string): readonly number[] =>
	[...facts.definitions, ...facts.exports, ...facts.imports]
		.filter(each => each.name === name)
		.map(({line}) => line);

/** I1: one side removed or moved a file, the other one added an import of it. */
export const removedModule: NameRule<'IMPORT_CONFLICT'> = async (linking, {breaker, user}) => {
	if (breaker.removed.size === 0) {
		return [];
	}

	const suspects = addedImports(user)
		.map(use => ({use, paths: pathsOf(use)}))
		.map(({use, paths}) => ({use, paths, gone: paths.find(path => breaker.removed.has(path))}))
		.filter(({use: {file}, gone}) => gone !== undefined && file.language !== 'rust');
	const found: Found<'IMPORT_CONFLICT'>[] = [];
	for (const {use, paths, gone = ''} of suspects) {
		const after = await linking.merged(use.file.path);
		const isStill = after?.facts.imports.some(each => each.module === use.said.module);
		if (!isStill || isThere([...(await linking.paths()).keys()], paths)) {
			continue;
		}

		const before = breaker.changes.find(({path}) => path === gone)?.before;
		const isSure = !use.said.isConditional;
		found.push({
			rule: 'I1',
			path: use.file.path,
			names: [use.said.module],
			blocking: isSure,
			confidence: isSure ? 'high' : 'low',
			summary: `${use.file.path} imports ${use.said.module}, but the other side removed or moved ${gone}.`,
			evidenceLines: [
				...(before === undefined
					? []
					: [{side: breaker, file: before, lines: [1], removed: true as const}]),
				{side: user, file: use.file, lines: [use.said.line]},
			],
		});
	}

	return found;
};

const pathsOf = ({file, said}: In<Import>): readonly string[] => pathsOfModule(file, said);

/** Returns whether one of the paths exists, as a file or as a folder: a package needs no file of its own. */
const isThere = (all: readonly string[], paths: readonly string[]): boolean => {
	const folders = paths
		.filter(path => path.endsWith('/__init__.py'))
		.map(path => path.slice(0, -'__init__.py'.length));
	return all.some(path => paths.includes(path) || folders.some(folder => path.startsWith(folder)));
};
