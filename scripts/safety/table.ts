import {withPart} from '../document-part.ts';

/** Figure of a passed test of the suite. */
export type Figure = {
	/** Letters of the promises that it tries to break. */
	readonly promise: string;
	readonly what: string;
	readonly count: number;
};

export type About = {readonly deep: boolean; readonly seed: string; readonly day: string};

/** Returns the figures of a run as a Markdown table. */
export const safetyTable = (figures: readonly Figure[]): string =>
	[
		'| promise | what was tried | times | broken |',
		'| --- | --- | ---: | ---: |',
		...summed(figures)
			.toSorted((one, other) => one.promise.localeCompare(other.promise))
			.map(({promise, what, count}) => `| ${promise} | ${what} | ${grouped(count)} | 0 |`),
	].join('\n');

/** Sums figures, since several tests may try the same in several ways. */
const summed = (figures: readonly Figure[]): readonly Figure[] =>
	[...Map.groupBy(figures, ({promise, what}) => `${promise} ${what}`).values()].flatMap(same => {
		const count = same.reduce((sum, figure) => sum + figure.count, 0);
		return same.slice(0, 1).map(figure => ({...figure, count}));
	});

const grouped = (count: number): string => new Intl.NumberFormat('en-US').format(count);

/** Returns the text of docs/promises.md with the figures of a run. Throws if the text has no place for them. */
export const withSafetyFigures = (
	text: string,
	figures: readonly Figure[],
	{deep, seed, day}: About,
): string => {
	const run = `${deep ? 'The whole suite' : 'The part that runs for every change'}, ${day}, seed ${seed}:`;
	const place = {file: 'docs/promises.md', name: 'safety'};
	return withPart(text, place, `${run}\n\n${safetyTable(figures)}`);
};
