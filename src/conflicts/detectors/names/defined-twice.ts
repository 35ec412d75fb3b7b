import {posix} from 'node:path';
import {addedDefinitions, type In} from '../../linking/differences.ts';
import type {Linking} from '../../linking/linking.ts';
import type {SourceFile} from '../../linking/sources.ts';
import type {Definition, DefinitionKind} from '../../source/facts.ts';
import type {LanguageName} from '../../source/language-of.ts';
import type {Found, MutualRule} from './rule.ts';

/** A5: both sides added the same name in the same place, and git kept both. */
export const definedTwice: MutualRule<'API_CONFLICT'> = async linking => {
	const others = Map.groupBy(addedDefinitions(linking.b).filter(isAlone), identityOf);
	const pairs = addedDefinitions(linking.a)
		.filter(isAlone)
		.flatMap(one => (others.get(identityOf(one)) ?? []).map(other => ({one, other})));
	const found = await Promise.all(pairs.map(pair => judged(linking, pair)));
	return found.flat();
};

/** Kinds that may be declared in several pieces, or in which a condition of the build chooses one. */
const isAlone = ({said, file}: In<Definition>): boolean =>
	said.hasBody &&
	!said.isConditional &&
	said.kind !== 'module' &&
	!(isMergedKind(said.kind) && mergesKinds(file.language)) &&
	!(isLenient(file.language) && said.kind === 'field') &&
	!isOptionalFile(file.path);

const isMergedKind = (kind: DefinitionKind): boolean => ['interface', 'enum'].includes(kind);

/** In TypeScript interfaces of one name are one, and so are enums. */
const mergesKinds = (language: LanguageName): boolean => ['typescript', 'tsx'].includes(language);

/** Go leaves out files by their names. */
const isOptionalFile = (path: string): boolean =>
	/_(?:linux|windows|darwin|unix|freebsd|openbsd|netbsd|js|wasm|amd64|arm64|386|arm)(?:_test)?\.go$/.test(
		path,
	);

/** A package of Go is a folder, with its tests or without; elsewhere a definition is in one file. */
const identityOf = ({file, said}: In<Definition>): string => {
	const within = file.language === 'go' ? posix.dirname(file.path) : file.path;
	const overload = overloads(file) ? (said.parameters?.types ?? '') : '';
	return [within, said.scope, said.name, said.kind, said.form ?? '', overload].join('\0');
};

/** Whether functions may share a name there; a header of C++ may be called like one of C. */
const overloads = ({language, path}: SourceFile): boolean =>
	['java', 'c++', 'c#'].includes(language) || path.endsWith('.h');

const isLenient = (language: LanguageName): boolean =>
	['javascript', 'python', 'ruby'].includes(language);

type Pair = {readonly one: In<Definition>; readonly other: In<Definition>};

const judged = async (
	linking: Linking,
	{one, other}: Pair,
): Promise<readonly Found<'API_CONFLICT'>[]> => {
	const files = await Promise.all(
		[...new Set([one.file.path, other.file.path])].map(path => linking.merged(path)),
	);
	const alike = files.flatMap(file =>
		file === undefined || file.facts.isBroken ? [] : sameIn(one, file),
	);
	const packages = new Set(alike.map(({file}) => /_test\.go$/.test(file.path)));
	const isKeptTwice = [one, other].every(({file}) => sameIn(one, file).length < alike.length);
	if (!isKeptTwice || packages.size > 1) {
		return [];
	}

	const {name, scope} = one.said;
	const isNote = isLenient(one.file.language) || (one.file.language === 'rust' && scope !== '');
	return [
		{
			rule: 'A5',
			path: other.file.path,
			names: [scope, name],
			blocking: !isNote,
			confidence: isNote ? 'medium' : 'high',
			summary: `Both sides added ${name}, and the merge has it twice.`,
			evidenceLines: [
				{side: linking.a, file: one.file, lines: [one.said.line]},
				{side: linking.b, file: other.file, lines: [other.said.line]},
			],
		},
	];
};

/** What a side has twice by itself is no doing of the merge. */
const sameIn = (one: In<Definition>, file: SourceFile): readonly In<Definition>[] =>
	file.facts.definitions
		.filter(said => said.hasBody && identityOf({file, said}) === identityOf(one))
		.map(said => ({file, said}));
