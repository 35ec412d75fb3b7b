import {addedReferences, type In, keptDefinitions} from '../../linking/differences.ts';
import type {Direction, Linking} from '../../linking/linking.ts';
import {calledName, meaningOfUse, type UseMeaning} from '../../linking/meaning.ts';
import type {SourceFile} from '../../linking/sources.ts';
import type {Call, Parameters, Reference, SymbolDefinition} from '../../source/facts.ts';
import {familyOf, traitsOf} from '../../source/languages.ts';
import type {Found, NameRule} from './rule.ts';

type Changed = {
	readonly before: In<SymbolDefinition>;
	readonly after: In<SymbolDefinition>;
	readonly was: Parameters;
	readonly is: Parameters;
};

type Suspect = Changed & {
	readonly use: In<Reference>;
	readonly call: Call;
	readonly meaning: UseMeaning;
};

/** A2, A3, A6: one side changed the parameters of a function, the other one added a call in the old form. */
export const changedParameters: NameRule<'API_CONFLICT'> = async (linking, {breaker, user}) => {
	const changed = Map.groupBy(keptDefinitions(breaker).flatMap(asChanged), ({before}) =>
		calledName(before.said),
	);
	const suspects = addedReferences(user).flatMap(use => suspectsOf(use, changed));
	const doubtful = suspects.filter(({meaning}) => meaning !== 'surely');
	const names = [...new Set(doubtful.map(({before}) => calledName(before.said)))];
	const inMerged = await linking.naming(linking.comparison.merged, names);
	const groups = Map.groupBy(
		suspects,
		({before, use}) =>
			`${before.file.path} ${before.said.scope} ${before.said.name} ${use.file.path}`,
	);
	const found: Found<'API_CONFLICT'>[] = [];
	for (const group of groups.values()) {
		const [{before} = {}] = group;
		const name = before === undefined ? '' : calledName(before.said);
		found.push(...(await judged(linking, {breaker, user}, group, inMerged.get(name))));
	}

	return found;
};

const asChanged = ({
	before,
	after,
}: ReturnType<typeof keptDefinitions>[number]): readonly Changed[] => {
	const [was, is] = [before.said.parameters, after.said.parameters];
	return was === undefined ||
		is === undefined ||
		was.types === is.types ||
		after.file.facts.isBroken
		? []
		: [{before, after, was, is}];
};

const suspectsOf = (
	use: In<Reference>,
	changed: ReadonlyMap<string, readonly Changed[]>,
): readonly Suspect[] => {
	const {call, name} = use.said;
	if (call === undefined || call.isOpen) {
		return [];
	}

	const names = [
		name,
		...use.file.facts.imports.filter(({local}) => local === name).map(each => each.name),
	];
	return [...new Set(names)]
		.flatMap(each => changed.get(each) ?? [])
		.filter(({was}) => acceptance(was, call) === 'taken')
		.map(each => ({...each, use, call, meaning: meaningOfUse(use, each.before)}))
		.filter(({meaning}) => meaning !== 'no');
};

const judged = async (
	linking: Linking,
	{breaker, user}: Direction,
	group: readonly Suspect[],
	named: readonly SourceFile[] | undefined,
): Promise<readonly Found<'API_CONFLICT'>[]> => {
	const broken = group.filter(({is, call}) => acceptance(is, call) !== 'taken');
	const [suspect] = broken.length > 0 ? broken : group;
	const after = await linking.merged(suspect?.use.file.path ?? '');
	if (suspect === undefined || after === undefined || after.facts.isBroken) {
		return [];
	}

	const {use, before, was, is, call} = suspect;
	const home = await linking.merged(before.file.path);
	const isStill = after.facts.references.some(each => isSameCall(each, use.said));
	const isThere = home?.facts.definitions.some(
		each =>
			each.name === before.said.name &&
			each.scope === before.said.scope &&
			each.parameters?.types === is.types,
	);
	if (!isStill || !isThere) {
		return [];
	}

	const others = (named ?? []).filter(file => hasOther(file, before, call));
	const isFree = before.said.scope === '';
	if (isFree && suspect.meaning !== 'surely' && others.length > 0) {
		return [];
	}

	const isCertain =
		suspect.meaning === 'surely' || (named !== undefined && others.length === 0 && isFree);
	const rule = broken.length > 0 ? 'A2' : isMoved(was, is, call) ? 'A3' : 'A6';
	const name = calledName(before.said);
	const {path} = use.file;
	const evidenceLines = [
		{side: breaker, file: suspect.after.file, lines: [suspect.after.said.line]},
		{
			side: user,
			file: use.file,
			lines: (broken.length > 0 ? broken : group).map(each => each.use.said.line),
		},
	];
	return [
		{
			rule,
			path,
			names: [before.said.scope, name],
			blocking: rule === 'A2' && isCertain && !traitsOf(use.file.language).omitsArguments,
			confidence: rule === 'A2' ? (isCertain ? 'high' : 'low') : rule === 'A3' ? 'medium' : 'low',
			summary: summaries[rule](name, path),
			evidenceLines,
		},
	];
};

const summaries = {
	A2: (name: string, path: string) =>
		`${name} is called in ${path} with arguments that it no longer takes: the other side changed its parameters.`,
	A3: (name: string, path: string) =>
		`${name} is called in ${path} with arguments in an order that the other side changed.`,
	A6: (name: string, path: string) =>
		`${name} is called in ${path}, and the other side changed the types of its parameters.`,
};

const isSameCall = (one: Reference, other: Reference): boolean =>
	one.name === other.name &&
	one.receiver === other.receiver &&
	one.call?.count === other.call?.count &&
	one.call?.keywords.join() === other.call?.keywords.join();

/** Returns whether another definition of that name accepts the call. */
const hasOther = (
	file: SourceFile,
	{file: home, said}: In<SymbolDefinition>,
	call: Call,
): boolean =>
	familyOf(file.language) === familyOf(home.language) &&
	(file.facts.locals.includes(said.name) ||
		file.facts.definitions.some(
			each =>
				calledName(each) === calledName(said) &&
				!(file.path === home.path && each.scope === said.scope) &&
				(each.parameters === undefined || acceptance(each.parameters, call) === 'taken'),
		));

/** Returns whether a parameter that is kept has another position among those that the call fills. */
const isMoved = (was: Parameters, is: Parameters, call: Call): boolean =>
	was.names
		.slice(0, call.count)
		.some((name, position) => is.names.includes(name) && is.names.indexOf(name) !== position);

/** Result of checking a call against parameters. */
type Acceptance = 'taken' | 'too few' | 'too many' | 'unknown keyword' | 'missing keyword';

/** Checks a call against parameters, in a language that checks them. */
const acceptance = (parameters: Parameters, call: Call): Acceptance => {
	const {names, keywords = []} = parameters;
	const byName = call.keywords.filter(keyword => names.includes(keyword));
	const given = call.count + byName.length;
	const unknown = call.keywords.filter(
		keyword => !names.includes(keyword) && !keywords.includes(keyword),
	);
	if (unknown.length > 0 && !parameters.takesAnyKeyword) {
		return 'unknown keyword';
	}

	if (parameters.requiredKeywords?.some(keyword => !call.keywords.includes(keyword))) {
		return 'missing keyword';
	}

	return given < parameters.min ? 'too few' : given > parameters.max ? 'too many' : 'taken';
};
