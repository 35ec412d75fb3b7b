import type {Definition, Import, Reference} from '../source/facts.ts';
import type {LinkedSide, SourceChange} from './linking.ts';
import type {SourceFile} from './sources.ts';

/** Something that a file says, and the file. */
export type In<Said> = {readonly file: SourceFile; readonly said: Said};

const counted = <Said>(all: readonly Said[], key: (said: Said) => string): Map<string, number> => {
	const counts = new Map<string, number>();
	for (const said of all) {
		counts.set(key(said), (counts.get(key(said)) ?? 0) + 1);
	}

	return counts;
};

/** Returns what is said more often after than before, all of it: which one is new only the text tells. */
const grown = <Said>(
	before: readonly Said[],
	after: readonly Said[],
	key: (said: Said) => string,
): readonly Said[] => {
	const [was, is] = [counted(before, key), counted(after, key)];
	return after.filter(said => (is.get(key(said)) ?? 0) > (was.get(key(said)) ?? 0));
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

/** Returns the uses of names that a side added. */
export const addedReferences = (side: LinkedSide): readonly In<Reference>[] =>
	ofEach(
		side,
		({before, after}) =>
			grown(before?.facts.references ?? [], after?.facts.references ?? [], referenceKey),
		({after}) => after,
	);

const importKey = ({module, name, local}: Import): string => `${module} ${name} ${local}`;

/** Returns the imports that a side added. */
export const addedImports = (side: LinkedSide): readonly In<Import>[] =>
	ofEach(
		side,
		({before, after}) => grown(before?.facts.imports ?? [], after?.facts.imports ?? [], importKey),
		({after}) => after,
	);

const placeOf = ({scope, name}: Definition): string => `${scope} ${name}`;

/** Returns the definitions that a side added, by their place in their file. */
export const addedDefinitions = (side: LinkedSide): readonly In<Definition>[] =>
	ofEach(
		side,
		({before, after}) => {
			const known = new Set(before?.facts.definitions.map(placeOf));
			return after?.facts.definitions.filter(each => !known.has(placeOf(each))) ?? [];
		},
		({after}) => after,
	);

/** Returns the definitions of the base that a side took out of their place. */
export const removedDefinitions = (side: LinkedSide): readonly In<Definition>[] =>
	ofEach(
		side,
		({before, after}) => {
			const known = new Set(after?.facts.definitions.map(placeOf));
			return before?.facts.definitions.filter(each => !known.has(placeOf(each))) ?? [];
		},
		({before}) => before,
	).filter(({file}) => isReadAfter(side, file.path));

/** A file that could not be read afterwards has lost nothing that we know of. */
const isReadAfter = (side: LinkedSide, path: string): boolean =>
	side.removed.has(path) || side.changes.some(each => each.path === path && each.after);

/** Returns definitions that stayed where they are and stand alone there, before and after. */
export const keptDefinitions = (
	side: LinkedSide,
): readonly {readonly before: In<Definition>; readonly after: In<Definition>}[] =>
	side.changes.flatMap(({before, after}) => {
		if (before === undefined || after === undefined) {
			return [];
		}

		const [was, is] = [single(before), single(after)];
		return [...was].flatMap(([place, said]) => {
			const now = is.get(place);
			return now === undefined
				? []
				: [{before: {file: before, said}, after: {file: after, said: now}}];
		});
	});

/** Definitions without another one of the same name in the same place. */
const single = ({facts}: SourceFile): ReadonlyMap<string, Definition> => {
	const counts = counted(facts.definitions, placeOf);
	return new Map(
		facts.definitions
			.filter(each => counts.get(placeOf(each)) === 1)
			.map(each => [placeOf(each), each]),
	);
};
