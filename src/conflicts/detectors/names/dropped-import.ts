import type {Facts} from '../../source/facts.ts';
import {isBuiltIn, traitsOf} from '../../source/languages.ts';
import type {NameRule} from './rule.ts';

/** I3: one side removed an import with its last use, the other one added a use: in the merge the name has no source. */
export const droppedImport: NameRule<'IMPORT_CONFLICT'> = async (linking, {breaker, user}) => {
	const found = await Promise.all(
		breaker.changes.map(async ({path, before, after: dropped}) => {
			const added = user.changes.find(each => each.path === path)?.after;
			if (
				before === undefined ||
				dropped === undefined ||
				added === undefined ||
				traitsOf(before.language).imports === 'none'
			) {
				return [];
			}

			const imports = Map.groupBy(
				before.facts.imports.filter(({local}) => local.length > 0),
				({local}) => local,
			);
			const names = [...imports.keys()].filter(
				name =>
					!isBuiltIn(before.language, name) &&
					!makes(dropped.facts, name) &&
					usesOf(dropped.facts, name).length === 0 &&
					usesOf(added.facts, name).length > 0,
			);
			const after = names.length > 0 ? await linking.merged(path) : undefined;
			return after === undefined || after.facts.isBroken
				? []
				: names
						.filter(name => !makes(after.facts, name) && usesOf(after.facts, name).length > 0)
						.map(name => ({
							rule: 'I3' as const,
							path,
							names: [name],
							blocking: true,
							confidence: 'high' as const,
							summary: `${name} is used in ${path}, but the other side dropped its import.`,
							evidenceLines: [
								{
									side: breaker,
									file: before,
									lines: (imports.get(name) ?? []).map(({line}) => line),
									removed: true as const,
								},
								{
									side: user,
									file: added,
									lines: usesOf(added.facts, name).map(({line}) => line),
								},
							],
						}));
		}),
	);
	return found.flat();
};

/** Returns whether a file gets the name from anywhere; a wildcard import may bring any name. */
const makes = ({imports, definitions, locals}: Facts, name: string): boolean =>
	imports.some(each => each.local === name || (each.name === '*' && each.local === '')) ||
	definitions.some(each => each.name === name) ||
	locals.includes(name);

const usesOf = ({references}: Facts, name: string) =>
	references.filter(each => each.name === name && each.receiver === undefined);
