import {oncePer} from '../../lib/values.ts';
import type {Facts, Import, Reference, SymbolDefinition} from '../source/facts.ts';
import type {LinkedSide, SourceChange} from './linking.ts';
import type {SourceFile} from './sources.ts';

/** A fact of a file, with the file. */
export type In<Said> = {readonly file: SourceFile; readonly said: Said};

/** Returns all facts that occur more often after than before: only the text shows which one is new. */
const grown = <Said>(
	before: readonly Said[],
	after: readonly Said[],
	key: (said: Said) => string,
): readonly Said[] => {
	const [was, is] = [Map.groupBy(before, key), Map.groupBy(after, key)];
	const times = (said: Said, all: typeof is): number => all.get(key(said))?.length ?? 0;
	return after.filter(said => times(said, is) > times(said, was));
};

/**
Returns a function that computes a difference of a file, cached as long as both versions are.

Each rule needs it in both directions, and so does each later comparison after a change of one in a hundred files.
*/
const remembered = <Difference>(
	tell: (before: Facts, after: Facts) => Difference,
): ((change: SourceChange) => Difference) => {
	const from = oncePer((before: Facts) => oncePer((after: Facts) => tell(before, after)));
	return ({before = nowhere, after = nowhere}) => from(before.facts)(after.facts);
};

/** Facts of a missing file. */
const nowhere: {readonly facts: Facts} = {
	facts: {definitions: [], imports: [], exports: [], references: [], locals: [], isBroken: false},
};

const ofEach = <Said>(
	side: LinkedSide,
	some: (change: SourceChange) => readonly Said[],
	file: (change: SourceChange) => SourceFile | undefined,
): readonly In<Said>[] =>
	side.changes.flatMap(change => {
		const own = file(change);
		return own === undefined ? [] : some(change).map(said => ({file: own, said}));
	});

const referenceKey = ({name, receiver = '', call}: Reference): string =>
	`${name} ${receiver} ${call === undefined ? '' : call.isOpen ? '*' : call.count} ${call?.keywords.join() ?? ''}`;

/** Returns the references that a side added. */
export const addedReferences = (side: LinkedSide): readonly In<Reference>[] =>
	ofEach(side, newReferences, ({after}) => after);

const newReferences = remembered((before, after) =>
	grown(before.references, after.references, referenceKey),
);

const importKey = ({module, name, local}: Import): string => `${module} ${name} ${local}`;

/** Returns the imports that a side added. */
export const addedImports = (side: LinkedSide): readonly In<Import>[] =>
	ofEach(side, newImports, ({after}) => after);

const newImports = remembered((before, after) => grown(before.imports, after.imports, importKey));

const nameInScope = ({scope, name}: SymbolDefinition): string => `${scope} ${name}`;

/** Returns the definitions that a side added, by their scope and name. */
export const addedDefinitions = (side: LinkedSide): readonly In<SymbolDefinition>[] =>
	ofEach(side, newDefinitions, ({after}) => after);

const newDefinitions = remembered((before, after) => notIn(before, after.definitions));

/** Returns the definitions of the base that a side removed from their scope. */
export const removedDefinitions = (side: LinkedSide): readonly In<SymbolDefinition>[] =>
	ofEach(side, goneDefinitions, ({before}) => before).filter(({file}) =>
		isReadAfter(side, file.path),
	);

const goneDefinitions = remembered((before, after) => notIn(after, before.definitions));

const notIn = (
	{definitions}: Facts,
	some: readonly SymbolDefinition[],
): readonly SymbolDefinition[] => {
	const known = new Set(definitions.map(nameInScope));
	return some.filter(each => !known.has(nameInScope(each)));
};

/** Returns whether a file could be read afterwards; otherwise no definition counts as removed. */
const isReadAfter = (side: LinkedSide, path: string): boolean =>
	side.removed.has(path) || side.changes.some(each => each.path === path && each.after);

/** Returns definitions that kept their place and are the only ones there, before and after. */
export const keptDefinitions = (
	side: LinkedSide,
): readonly {readonly before: In<SymbolDefinition>; readonly after: In<SymbolDefinition>}[] =>
	side.changes.flatMap(change => {
		const {before, after} = change;
		return before === undefined || after === undefined
			? []
			: stayedDefinitions(change).map(([was, is]) => ({
					before: {file: before, said: was},
					after: {file: after, said: is},
				}));
	});

const stayedDefinitions = remembered((before, after) => {
	const [was, is] = [single(before), single(after)];
	return [...was].flatMap(([key, said]) => {
		const now = is.get(key);
		return now === undefined ? [] : [[said, now] as const];
	});
});

/** Returns the definitions whose name is unique in their scope. */
const single = ({definitions}: Facts): ReadonlyMap<string, SymbolDefinition> =>
	new Map(
		[...Map.groupBy(definitions, nameInScope)].flatMap(([key, [one, ...others]]) =>
			one === undefined || others.length > 0 ? [] : [[key, one] as const],
		),
	);
