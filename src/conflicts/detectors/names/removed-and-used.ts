import {posix} from 'node:path';
import {addedReferences, type In, removedDefinitions} from '../../linking/differences.ts';
import type {Direction, Linking} from '../../linking/linking.ts';
import {calledName, meaningOfUse, type UseMeaning} from '../../linking/meaning.ts';
import type {SourceFile} from '../../linking/sources.ts';
import type {Reference, SymbolDefinition} from '../../source/facts.ts';
import {familyOf, traitsOf} from '../../source/languages.ts';
import type {Found, NameRule} from './rule.ts';

/** A use that one side added of a definition that the other one removed. */
type Suspect = {
	readonly definition: In<SymbolDefinition>;
	readonly use: In<Reference>;
	readonly meaning: UseMeaning;
};

const mostSuspects = 200;

/**
A1, A7: one side removed or renamed a definition, the other one added a use.

A name counts only if nothing in the merged tree defines it, and the side that removed it does not use it: otherwise the use means another definition of the same name.
*/
export const removedAndUsed: NameRule<'API_CONFLICT'> = async (linking, direction) => {
	const {breaker, user} = direction;
	const removed = Map.groupBy(removedDefinitions(breaker).filter(isDistinctive), ({said}) =>
		calledName(said),
	);
	const suspects = addedReferences(user)
		.filter(use => !isImported(use))
		.flatMap(use =>
			(removed.get(use.said.name) ?? []).map(definition => ({
				definition,
				use,
				meaning: meaningOfUse(use, definition),
			})),
		)
		.filter(({meaning}) => meaning !== 'no')
		.slice(0, mostSuspects);
	const names = [...new Set(suspects.map(({use}) => use.said.name))];
	const inMerged = await linking.naming(linking.comparison.merged, names);
	const inBreaker = await linking.naming(breaker.commit, names);
	const found = await Promise.all(
		[...Map.groupBy(suspects, keyOfSuspect).values()].map(group =>
			judged(linking, direction, group, {inMerged, inBreaker}),
		),
	);
	return found.flat();
};

/** Returns whether a definition's name is distinctive: a constructor goes with its type, and short names are everywhere. */
const isDistinctive = ({said: {kind, name}, file}: In<SymbolDefinition>): boolean =>
	kind !== 'constructor' && kind !== 'module' && name.length >= 3 && !file.facts.isBroken;

/** A missing name that is imported is reported at the import, by rule I2. */
const isImported = ({file, said}: In<Reference>): boolean =>
	said.receiver === undefined && file.facts.imports.some(({local}) => local === said.name);

const keyOfSuspect = ({definition, use}: Suspect): string =>
	`${definition.file.path} ${definition.said.scope} ${definition.said.name} ${use.file.path}`;

type Hits = ReadonlyMap<string, readonly SourceFile[] | undefined>;

const judged = async (
	linking: Linking,
	{breaker, user}: Direction,
	group: readonly Suspect[],
	{inMerged, inBreaker}: {readonly inMerged: Hits; readonly inBreaker: Hits},
): Promise<readonly Found<'API_CONFLICT'>[]> => {
	const [suspect] = group;
	if (suspect === undefined) {
		return [];
	}

	const {definition, use, meaning} = suspect;
	const {name} = use.said;
	const [merged, own] = [inMerged.get(name), inBreaker.get(name)];
	const after = await linking.merged(use.file.path);
	if (
		merged === undefined ||
		own === undefined ||
		after === undefined ||
		after.facts.isBroken ||
		!after.facts.references.some(each => isSameUse(each, use.said)) ||
		merged.some(file => makes(file, suspect)) ||
		own.some(file => uses(file, definition, name))
	) {
		return [];
	}

	const isValue = ['variable', 'field', 'variant'].includes(definition.said.kind);
	const {path} = use.file;
	return [
		{
			rule: isValue ? 'A7' : 'A1',
			path,
			names: [definition.said.scope, name],
			blocking: !isValue && !use.file.facts.isBroken,
			confidence: isValue ? 'medium' : meaning === 'surely' ? 'high' : 'medium',
			summary: `${name} is used in ${path}, but the other side removed or renamed it.`,
			evidenceLines: [
				{
					side: breaker,
					file: definition.file,
					lines: [definition.said.line],
					removed: true,
				},
				{
					side: user,
					file: use.file,
					lines: group.map(each => each.use.said.line),
				},
			],
		},
	];
};

const isSameUse = (one: Reference, other: Reference): boolean =>
	one.name === other.name && one.receiver === other.receiver;

/** Returns whether a file of the merged tree defines the name, so that the use may mean that definition. */
const makes = (file: SourceFile, {definition, use}: Suspect): boolean => {
	const {name} = use.said;
	if (familyOf(file.language) !== familyOf(use.file.language)) {
		return false;
	}

	const isFree = definition.said.scope === '' && use.said.receiver === undefined;
	if (isFree && traitsOf(file.language).imports === 'each' && file.path !== use.file.path) {
		return false;
	}

	const {definitions, imports, exports, locals} = file.facts;
	const isDefined = definitions.some(each => each.name === name);
	if (traitsOf(file.language).folderIsPackage && definition.said.scope === '') {
		return isDefined && posix.dirname(file.path) === posix.dirname(definition.file.path);
	}

	return (
		isDefined ||
		imports.some(({local}) => local === name) ||
		exports.some(each => each.name === name) ||
		locals.includes(name)
	);
};

const uses = (file: SourceFile, definition: In<SymbolDefinition>, name: string): boolean =>
	file.facts.references.some(
		said =>
			said.name === name &&
			(definition.said.scope === ''
				? meaningOfUse({file, said}, definition) !== 'no'
				: said.receiver !== undefined),
	);
