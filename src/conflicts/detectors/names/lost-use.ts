import {addedDefinitions, addedImports, type In} from '../../linking/differences.ts';
import type {Direction, Linking, SourceChange} from '../../linking/linking.ts';
import {calledName, meaningOfUse} from '../../linking/meaning.ts';
import type {SourceFile} from '../../linking/sources.ts';
import type {Facts, Import, Reference, SymbolDefinition} from '../../source/facts.ts';
import type {Found, NameRule} from './rule.ts';

/**
A8, a note: one side added a definition or an import, and the merge lacks its only use.

The merge works, but the addition is dead code: the other side removed the line that used it, or a manual merge did.
*/
export const lostUse: NameRule<'API_CONFLICT'> = async (linking, direction) => [
	...(await lostDefinitions(linking, direction)),
	...(await lostImports(linking, direction)),
];

/** A file that the breaker changed, in the other side's version and in the merge. */
type Met = {
	readonly change: SourceChange;
	readonly mine: SourceFile;
	readonly merged: SourceFile | undefined;
};

/** Returns the files that contain one of these names, so that only those are looked up in the merge. */
const metFiles = async (
	linking: Linking,
	{breaker, user}: Direction,
	names: ReadonlyMap<string, unknown>,
): Promise<readonly Met[]> => {
	const met = await Promise.all(
		breaker.changes.map(async (change): Promise<readonly Met[]> => {
			const own = user.changes.find(({path}) => path === change.path);
			const mine = own === undefined ? change.before : own.after;
			if (!mine?.facts.references.some(({name}) => names.has(name))) {
				return [];
			}

			const merged = await linking.merged(change.path);
			return merged?.facts.isBroken ? [] : [{change, mine, merged}];
		}),
	);
	return met.flat();
};

type Suspect = {readonly definition: In<SymbolDefinition>; readonly met: Met};

const lostDefinitions = async (
	linking: Linking,
	direction: Direction,
): Promise<readonly Found<'API_CONFLICT'>[]> => {
	const added = Map.groupBy(addedDefinitions(direction.user).filter(isDistinctive), ({said}) =>
		calledName(said),
	);
	const suspects =
		added.size === 0
			? []
			: (await metFiles(linking, direction, added)).flatMap(met => suspectsIn(met, added));
	const names = suspects.map(({definition}) => calledName(definition.said));
	const naming = await linking.naming(linking.comparison.merged, [...new Set(names)]);
	const found = await Promise.all(
		suspects.map(async suspect => {
			const {definition, met} = suspect;
			const files = naming.get(calledName(definition.said));
			const home = await linking.merged(definition.file.path);
			return home !== undefined &&
				has(home, definition.said) &&
				files?.every(file => !mayUse(file, {file: home, said: definition.said}))
				? [asFound(direction, met, definition.said.name, definition, isUseOf(definition))]
				: [];
		}),
	);
	return found.flat();
};

/** Returns whether a definition's name is distinctive: short names are everywhere, and a build condition may make a name unused. */
const isDistinctive = ({said, file}: In<SymbolDefinition>): boolean =>
	said.name.length >= 3 &&
	!said.isConditional &&
	!['module', 'constructor'].includes(said.kind) &&
	!file.facts.isBroken;

const suspectsIn = (
	met: Met,
	added: ReadonlyMap<string, readonly In<SymbolDefinition>[]>,
): readonly Suspect[] => {
	const {mine, merged} = met;
	const names = new Set(mine.facts.references.map(({name}) => name));
	return [...names]
		.flatMap(name => added.get(name) ?? [])
		.filter(definition => {
			const isUse = isUseOf(definition);
			return isUse(mine) && !(merged !== undefined && isUse(merged));
		})
		.map(definition => ({definition, met}));
};

const isUseOf =
	(definition: In<SymbolDefinition>) =>
	(file: SourceFile): boolean =>
		file.facts.references.some(said => meaningOfUse({file, said}, definition) === 'surely');

const has = ({facts}: SourceFile, {name, scope}: SymbolDefinition): boolean =>
	facts.definitions.some(each => each.name === name && each.scope === scope);

/** Returns whether a file of the merge uses the definition, re-exports it, or may do either; the callers of a member are unknown. */
const mayUse = (file: SourceFile, definition: In<SymbolDefinition>): boolean => {
	const {references, imports, exports, definitions} = file.facts;
	const {name, scope} = definition.said;
	const isUse = (said: Reference): boolean =>
		said.name === name && (scope !== '' || meaningOfUse({file, said}, definition) !== 'no');
	const isOwn = definitions.some(each => each.name === name);
	return (
		file.facts.isBroken ||
		references.some(isUse) ||
		(!isOwn && [...imports, ...exports].some(each => each.name === name))
	);
};

const lostImports = async (
	linking: Linking,
	direction: Direction,
): Promise<readonly Found<'API_CONFLICT'>[]> => {
	const {breaker, user} = direction;
	const suspects = addedImports(user).flatMap(({file, said}) => {
		const change = breaker.changes.find(({path}) => path === file.path);
		return change === undefined || said.isConditional || !isUsed(file.facts, said)
			? []
			: [{file, said, change}];
	});
	const found = await Promise.all(
		suspects.map(async ({file, said, change}) => {
			const merged = await linking.merged(file.path);
			const isLost =
				merged !== undefined &&
				!merged.facts.isBroken &&
				merged.facts.imports.some(each => isSame(each, said)) &&
				!isUsed(merged.facts, said) &&
				!merged.facts.exports.some(({name}) => name === said.local);
			const met = {change, mine: file, merged};
			const isUse = ({facts}: SourceFile) => isUsed(facts, said);
			return isLost ? [asFound(direction, met, said.local, {file, said}, isUse)] : [];
		}),
	);
	return found.flat();
};

const isUsed = ({references}: Facts, {local}: Import): boolean =>
	local !== '' && references.some(said => isPlain(said, local));

const isPlain = ({name, receiver}: Reference, local: string): boolean =>
	name === local && receiver === undefined;

const isSame = (one: Import, other: Import): boolean =>
	one.module === other.module && one.name === other.name && one.local === other.local;

/** Returns the use as the base had it or, if only the other side had it, as it was there. */
const asFound = (
	{breaker, user}: Direction,
	{change, mine}: Met,
	name: string,
	{file, said}: In<SymbolDefinition> | In<Import>,
	isUse: (file: SourceFile) => boolean,
): Found<'API_CONFLICT'> => {
	const before = change.before !== undefined && isUse(change.before) ? change.before : mine;
	const lines = before.facts.references.filter(each => each.name === name).map(({line}) => line);
	return {
		rule: 'A8',
		path: file.path,
		names: [name],
		blocking: false,
		confidence: 'medium',
		summary: `${name}, which one side added in ${file.path}, is used nowhere in the merge: the other side removed its only use from ${change.path}.`,
		evidenceLines: [
			{side: user, file, lines: [said.line]},
			{side: breaker, file: before, lines, removed: true},
		],
	};
};
