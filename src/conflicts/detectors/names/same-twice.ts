import {addedDefinitions, type In} from '../../linking/differences.ts';
import type {Definition} from '../../source/facts.ts';
import type {Found, MutualRule} from './rule.ts';

const shortest = 15;
const most = 5;

/** A9: both sides wrote the same thing, under one name or two. */
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

const asEntry = (each: In<Definition>): readonly [string, In<Definition>][] => {
	const {body, scope, kind} = each.said;
	const isLong = body !== undefined && body.words >= shortest;
	return isLong && (scope === '' || kind === 'method') ? [[body.digest, each]] : [];
};

/** What git merged into one, or what rule A5 tells. */
const isSameDefinition = (one: In<Definition>, other: In<Definition>): boolean =>
	one.file.path === other.file.path && one.said.name === other.said.name;
