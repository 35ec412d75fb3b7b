import {BaseSequencer, type TestSpecification} from 'vitest/node';

/**
Sorts the slowest test files first, so that none of them runs alone at the end on one of several processors.

Without results of an earlier run, as in a fresh clone, Vitest sorts by file size, which says little about files that run whole sessions.
*/
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		return [...Map.groupBy(sorted, ({project}) => project.name).values()].flatMap(of =>
			of.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one))),
		);
	}
}

const isLong = ({moduleId}: TestSpecification): boolean =>
	longest.some(name => moduleId.includes(`/test/${name}.`));

const longest = [
	'safety/supervisor-killed',
	'safety/zoo',
	'safety/git-killed',
	'safety/supervisor-killed-seldom',
	'safety/decision-matrix',
	'safety/others-killed',
	'safety/undo-killed',
	'safety/descriptors',
	'safety/simulation',
	'conflicts/cases',
	'stories/demo',
	'tui/editor',
	'tui/program',
	'scripts/string-width',
];
