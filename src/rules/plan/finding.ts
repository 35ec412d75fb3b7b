import {enumerated, sentenceCase} from '../../lib/text/words.ts';
import type {DocumentPath, PositionOf, Problem} from '../../lib/text/yaml-document.ts';

/** A problem at a path in the plan, not yet at a place in a file. */
export type PlanFinding = {
	readonly level: Problem['level'];
	readonly path: DocumentPath;
	readonly message: string;
	readonly hint?: string;
};

/** Adds the place in the file to a finding. */
export const toProblem = ({path, ...finding}: PlanFinding, positionOf: PositionOf): Problem => ({
	...finding,
	...positionOf(path),
});

/** Joins warnings that differ only in their agent, so that each kind takes one line, at the first of these agents. */
export const joinedByAgent = (
	problems: readonly Problem[],
	ids: readonly string[],
): readonly Problem[] => {
	const kinds = Map.groupBy(problems, problem => {
		const id = onlyIdIn(problem, ids);
		return id === undefined ? problem : problem.message.replace(id, '');
	});
	return [...kinds.values()].flatMap(same => {
		const [problem, ...others] = same;
		const named = same.flatMap(one => onlyIdIn(one, ids) ?? []);
		return problem === undefined || others.length === 0
			? same
			: {
					...problem,
					message: sentenceCase(
						problem.message.replace(named[0] ?? '', `each of ${enumerated(named)}`),
					),
				};
	});
};

/** Returns the id that a warning names, if that is one. */
const onlyIdIn = ({level, message}: Problem, ids: readonly string[]): string | undefined => {
	const words: readonly string[] = message.match(/[\w-]+/g) ?? [];
	const named = level === 'warning' ? ids.filter(id => words.includes(id)) : [];
	return named.length === 1 ? named[0] : undefined;
};

const longestWord = 64;

/**
Returns the word of `known` that a mistyped word most likely means.

Likely: at most two in five of its letters (but always one) were left out, added, changed or
swapped, in any case.
*/
export const didYouMean = (word: string, known: readonly string[]): string | undefined => {
	if (word.length > longestWord) {
		return undefined;
	}

	const typed = word.toLowerCase();
	const limit = Math.max(1, Math.floor(typed.length * 0.4));
	const [best] = known
		.map(name => ({name, distance: editDistance(typed, name.toLowerCase().slice(0, longestWord))}))
		.filter(({distance}) => distance <= limit)
		.sort((a, b) => a.distance - b.distance);
	return best?.name;
};

/**
Counts the letters to add, remove, change or swap with their neighbour, row by row of the usual
table.
*/
const editDistance = (from: string, to: string): number => {
	let beforePrevious: readonly number[] = [];
	let previous: readonly number[] = Array.from({length: to.length + 1}, (_, index) => index);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const isSame = from[row - 1] === to[column - 1];
			const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
			current.push(
				Math.min(
					(previous[column] ?? 0) + 1,
					(current[column - 1] ?? 0) + 1,
					(previous[column - 1] ?? 0) + (isSame ? 0 : 1),
					isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
				),
			);
		}

		beforePrevious = previous;
		previous = current;
	}

	return previous[to.length] ?? 0;
};
