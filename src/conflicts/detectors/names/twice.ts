import {posix} from 'node:path';
import {addedDefinitions, type In} from '../../linking/differences.ts';
import type {Linking} from '../../linking/linking.ts';
import type {SourceFile} from '../../linking/sources.ts';
import type {DefinitionKind, Facts, Import, SymbolDefinition} from '../../source/facts.ts';
import {traitsOf} from '../../source/languages.ts';
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

/** Returns whether a definition must be the only one: some kinds may be declared in parts, or chosen by a build condition. */
const isAlone = ({said, file}: In<SymbolDefinition>): boolean =>
	said.hasBody &&
	!said.isConditional &&
	said.kind !== 'module' &&
	!(isMergedKind(said.kind) && traitsOf(file.language).mergesTypes) &&
	!(traitsOf(file.language).redefines && said.kind === 'field') &&
	!isOptionalFile(file.path);

const isMergedKind = (kind: DefinitionKind): boolean => ['interface', 'enum'].includes(kind);

/** Returns whether Go may leave a file out because of its name. */
const isOptionalFile = (path: string): boolean =>
	/_(?:linux|windows|darwin|unix|freebsd|openbsd|netbsd|js|wasm|amd64|arm64|386|arm)(?:_test)?\.go$/.test(
		path,
	);

/** Returns the identity of a definition: its package if that is a folder, with or without its tests, otherwise its file, and its name. */
const identityOf = ({file, said}: In<SymbolDefinition>): string => {
	const within = traitsOf(file.language).folderIsPackage ? posix.dirname(file.path) : file.path;
	const overload = overloads(file) ? (said.parameters?.types ?? '') : '';
	return [within, said.scope, said.name, said.kind, said.form ?? '', overload].join('\0');
};

/** Returns whether functions may share a name there; a C++ header may have the extension of C. */
const overloads = ({language, path}: SourceFile): boolean =>
	traitsOf(language).overloads === true || path.endsWith('.h');

type Pair = {readonly one: In<SymbolDefinition>; readonly other: In<SymbolDefinition>};

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
	const isNote =
		traitsOf(one.file.language).redefines === true ||
		(one.file.language === 'rust' && scope !== '');
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

/** Returns the definitions of a file with the same identity. */
const sameIn = (one: In<SymbolDefinition>, file: SourceFile): readonly In<SymbolDefinition>[] =>
	file.facts.definitions
		.filter(said => said.hasBody && identityOf({file, said}) === identityOf(one))
		.map(said => ({file, said}));

/** I4: both sides added an import under the same name, and git kept both. */
export const importedTwice: MutualRule<'IMPORT_CONFLICT'> = async linking => {
	const found: Found<'IMPORT_CONFLICT'>[] = [];
	for (const {path, before, after: one} of linking.a.changes) {
		const other = linking.b.changes.find(each => each.path === path)?.after;
		if (one === undefined || other === undefined) {
			continue;
		}

		const added = (facts: Facts) =>
			importsOf(facts).filter(
				({local}) => !before?.facts.imports.some(each => each.local === local),
			);
		const names = added(one.facts).filter(({local}) =>
			added(other.facts).some(each => each.local === local),
		);
		const after = names.length > 0 ? await linking.merged(path) : undefined;
		for (const {local} of after === undefined || after.facts.isBroken ? [] : names) {
			const own = importsOf(after?.facts ?? one.facts).filter(each => each.local === local);
			const isOne = new Set(own.map(({module, name}) => `${module} ${name}`)).size === 1;
			const {importsTwice} = traitsOf(one.language);
			const isNote = importsTwice === 'anything';
			if (own.length > 1 && !(isOne && importsTwice !== undefined)) {
				found.push({
					rule: 'I4',
					path,
					names: [local],
					blocking: !isNote,
					confidence: isNote ? 'medium' : 'high',
					summary: `Both sides import ${local} in ${path}, and the merge imports it twice.`,
					evidenceLines: [
						{side: linking.a, file: one, lines: linesOf(one.facts, local)},
						{side: linking.b, file: other, lines: linesOf(other.facts, local)},
					],
				});
			}
		}
	}

	return found;
};

/** Returns the imports of the file's top level; a condition may choose between others. */
const importsOf = ({imports}: Facts): readonly Import[] =>
	imports.filter(({local, scope, isConditional}) => local !== '' && scope === '' && !isConditional);

const linesOf = (facts: Facts, local: string): readonly number[] =>
	importsOf(facts)
		.filter(each => each.local === local)
		.map(({line}) => line);

const shortest = 15;
const most = 5;

/** A9: both sides wrote the same code, under one name or two. */
export const sameTwice: MutualRule<'API_CONFLICT'> = async linking => {
	const others = new Map(addedDefinitions(linking.b).flatMap(asEntry));
	const found = addedDefinitions(linking.a).flatMap((one): readonly Found<'API_CONFLICT'>[] => {
		const [[digest] = ['']] = asEntry(one);
		const other = others.get(digest);
		if (other === undefined || isSameDefinition(one, other)) {
			return [];
		}

		const {path} = other.file;
		return [
			{
				rule: 'A9',
				path,
				names: [one.said.name, other.said.name],
				blocking: false,
				confidence: 'medium',
				summary: `Both sides wrote the same: ${one.said.name} in ${one.file.path} and ${other.said.name} in ${path}.`,
				evidenceLines: [
					{side: linking.a, file: one.file, lines: [one.said.line]},
					{side: linking.b, file: other.file, lines: [other.said.line]},
				],
			},
		];
	});
	return found.slice(0, most);
};

const asEntry = (each: In<SymbolDefinition>): readonly [string, In<SymbolDefinition>][] => {
	const {body, scope, kind} = each.said;
	const isLong = body !== undefined && body.words >= shortest;
	return isLong && (scope === '' || kind === 'method') ? [[body.digest, each]] : [];
};

/** Returns whether git merged both into one, or rule A5 reports them. */
const isSameDefinition = (one: In<SymbolDefinition>, other: In<SymbolDefinition>): boolean =>
	one.file.path === other.file.path && one.said.name === other.said.name;
