import {addedDefinitions, type In, keptDefinitions} from '../../linking/differences.ts';
import type {LinkedSide, Linking} from '../../linking/linking.ts';
import type {SourceFile} from '../../linking/sources.ts';
import type {SymbolDefinition} from '../../source/facts.ts';
import {familyOf, traitsOf} from '../../source/languages.ts';
import type {Found, NameRule} from './rule.ts';

type Demand = {
	readonly type: In<SymbolDefinition>;
	readonly member: In<SymbolDefinition>;
};

/** A4: one side added a required member to a type, the other one added an implementer. */
export const missingMember: NameRule<'API_CONFLICT'> = async (linking, {breaker, user}) => {
	const demands = demandsOf(breaker);
	const found: Found<'API_CONFLICT'>[] = [];
	for (const implementer of demands.length > 0 ? implementers(user) : []) {
		for (const {type, member} of demands.filter(demand => concerns(demand, implementer))) {
			const after = await linking.merged(implementer.file.path);
			if (after === undefined || after.facts.isBroken || supplies(after, implementer, member)) {
				continue;
			}

			const isSure =
				!traitsOf(implementer.file.language).omitsMembers &&
				isOnly(implementer) &&
				(await isOneType(linking, type));
			const [name, what] = [implementer.said.name, member.said.name];
			found.push({
				rule: 'A4',
				path: implementer.file.path,
				names: [name, what],
				blocking: isSure,
				confidence: isSure ? 'high' : 'medium',
				summary: `${name} implements ${type.said.name} without ${what}, which the other side made necessary.`,
				evidenceLines: [
					{side: breaker, file: member.file, lines: [member.said.line]},
					{side: user, file: implementer.file, lines: [implementer.said.line]},
				],
			});
		}
	}

	return found;
};

const demandsOf = (side: LinkedSide): readonly Demand[] => {
	const added = addedDefinitions(side).filter(({said}) => said.isRequired);
	return keptDefinitions(side).flatMap(({after: type}) =>
		added
			.filter(({file, said}) => file.path === type.file.path && said.scope === type.said.name)
			.map(member => ({type, member})),
	);
};

const implementers = (side: LinkedSide): readonly In<SymbolDefinition>[] => {
	const all = side.changes.flatMap(({before, after}) =>
		(after?.facts.definitions ?? [])
			.filter(said => said.supertypes.length > 0 && !said.isAbstract && said.kind === 'class')
			.filter(said => !before?.facts.definitions.some(each => isSameType(each, said)))
			.map(said => ({file: after, said})),
	);
	return all.flatMap(({file, said}) => (file === undefined ? [] : [{file, said}]));
};

const isSameType = (one: SymbolDefinition, other: SymbolDefinition): boolean =>
	one.name === other.name && one.supertypes.join() === other.supertypes.join();

const lastWord = (name: string): string => name.split(/[.:\\]+/).at(-1) ?? '';

const concerns = ({type}: Demand, {file, said}: In<SymbolDefinition>): boolean =>
	familyOf(type.file.language) === familyOf(file.language) &&
	said.supertypes.some(each => lastWord(each) === type.said.name);

const supplies = (
	after: SourceFile,
	{said}: In<SymbolDefinition>,
	{said: member}: In<SymbolDefinition>,
): boolean => {
	const owner = [said.scope, said.name].filter(part => part !== '').join('.');
	return after.facts.definitions.some(
		({name, scope}) =>
			name === member.name && (scope === owner || scope.startsWith(`${owner} as `)),
	);
};

/** Returns whether a definition has only one supertype: another one may provide the member. */
const isOnly = ({said}: In<SymbolDefinition>): boolean => said.supertypes.length === 1;

const isOneType = async (
	{comparison, naming}: Linking,
	{said}: In<SymbolDefinition>,
): Promise<boolean> => {
	const files = (await naming(comparison.merged, [said.name])).get(said.name);
	const types = files?.flatMap(({facts}) =>
		facts.definitions.filter(
			({name, kind, supertypes}) =>
				name === said.name &&
				['interface', 'class'].includes(kind) &&
				supertypes.length === said.supertypes.length,
		),
	);
	return types?.length === 1;
};
