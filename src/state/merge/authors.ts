import type {Resolution} from './merge.ts';

/** Returns whose work is in a path of the result, of those who changed it: not that of who gave its change up in a conflict. */
export const authorsOf = (
	resolutions: readonly Resolution[],
	path: string,
	changedBy: readonly string[],
): readonly string[] => {
	const losers = new Set(
		resolutions.flatMap(resolution =>
			resolution.choice === 'choose-one' && (resolution.gives ?? [resolution.path]).includes(path)
				? [...resolution.a, ...resolution.b].filter(id => !resolution.winner.includes(id))
				: [],
		),
	);
	return changedBy.filter(id => !losers.has(id));
};
