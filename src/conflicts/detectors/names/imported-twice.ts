import type {Facts, Import} from '../../source/facts.ts';
import type {Found, MutualRule} from './rule.ts';

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
			const isNote =
				['python', 'ruby'].includes(one.language) || (one.language === 'java' && isOne);
			if (own.length > 1 && !(isNote && isOne)) {
				found.push({
					rule: 'I4',
					path,
					names: [local],
					blocking: !isNote,
					confidence: isNote ? 'medium' : 'high',
					summary: `Both sides import ${local} in ${path}, and the merge does so twice.`,
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

/** Those of the file itself; a condition may choose between others. */
const importsOf = ({imports}: Facts): readonly Import[] =>
	imports.filter(({local, scope, isConditional}) => local !== '' && scope === '' && !isConditional);

const linesOf = (facts: Facts, local: string): readonly number[] =>
	importsOf(facts)
		.filter(each => each.local === local)
		.map(({line}) => line);
