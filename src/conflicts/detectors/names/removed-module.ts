import {addedImports, type In} from '../../linking/differences.ts';
import {modulePaths} from '../../linking/modules.ts';
import type {Import} from '../../source/facts.ts';
import type {Found, Rule} from './rule.ts';

/** I1: one side removed or moved a file that the other one began to import. */
export const removedModule: Rule<'IMPORT_CONFLICT'> = async (linking, {breaker, user}) => {
	if (breaker.removed.size === 0) {
		return [];
	}

	const suspects = addedImports(user)
		.map(use => ({use, paths: pathsOf(use)}))
		.map(({use, paths}) => ({use, paths, gone: paths.find(path => breaker.removed.has(path))}))
		.filter(({use: {file}, gone}) => gone !== undefined && file.language !== 'rust');
	const found: Found<'IMPORT_CONFLICT'>[] = [];
	for (const {use, paths, gone = ''} of suspects) {
		const after = await linking.merged(use.file.path);
		const isStill = after?.facts.imports.some(each => each.module === use.said.module);
		if (!isStill || (await isThere([...(await linking.paths()).keys()], paths))) {
			continue;
		}

		const before = breaker.changes.find(({path}) => path === gone)?.before;
		const isSure = !use.said.isConditional;
		found.push({
			rule: 'I1',
			path: use.file.path,
			names: [use.said.module],
			blocking: isSure,
			confidence: isSure ? 'high' : 'low',
			summary: `${use.file.path} imports ${use.said.module}, but the other side removed or moved ${gone}.`,
			evidenceLines: [
				...(before === undefined
					? []
					: [{side: breaker, file: before, lines: [1], removed: true as const}]),
				{side: user, file: use.file, lines: [use.said.line]},
			],
		});
	}

	return found;
};

const pathsOf = ({file, said}: In<Import>): readonly string[] =>
	modulePaths(file.language, file.path, said);

/** A file, or a folder that stands for one: a package may go without a file of its own. */
const isThere = async (all: readonly string[], paths: readonly string[]): Promise<boolean> => {
	const folders = paths
		.filter(path => path.endsWith('/__init__.py'))
		.map(path => path.slice(0, -'__init__.py'.length));
	return all.some(path => paths.includes(path) || folders.some(folder => path.startsWith(folder)));
};
