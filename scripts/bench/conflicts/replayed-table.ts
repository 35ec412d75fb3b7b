import {printColumns} from '../columns.ts';
import type {Origin} from './merges-of.ts';
import {nothing, sum, type Tally} from './tally.ts';

/** Results of the merges of one clone with the same origin. */
export type Replayed = {
	readonly clone: string;
	readonly origin: Origin;
	readonly tally: Tally;
	/** Lines that are worth a look. */
	readonly lines: readonly string[];
};

/** Origins of merges that a person repaired, in the merge itself or directly after it. */
export const mendedOrigins: readonly Origin[] = ['altered', 'mined'];

/** Prints a table for each origin, and below them the lines that are worth a look. */
export const printReplayed = (rows: readonly Replayed[], origins: readonly Origin[]): void => {
	for (const origin of origins) {
		const some = rows.filter(row => row.origin === origin && row.tally.merges > 0);
		if (some.length > 0) {
			console.log(`\n${titles[origin]}`);
			const print = mendedOrigins.includes(origin) ? printMended : printTable;
			print(some.toSorted((one, other) => (one.clone < other.clone ? -1 : 1)));
		}
	}

	for (const {clone, origin, lines} of rows) {
		for (const line of lines) {
			console.log(`${clone}, ${origin}: ${line}`);
		}
	}
};

const titles: Readonly<Record<Origin, string>> = {
	real: 'Merges on the way to the default branch',
	altered: 'Merges that git makes, too, and people altered, among fifteen times as many',
	mined: 'Merges that were repaired right after, as the repair says',
	test: 'Test merges of pull requests, which nobody reviewed',
};

const withAll = (rows: readonly Replayed[]): readonly Pick<Replayed, 'clone' | 'tally'>[] => [
	...rows,
	{clone: 'all', tally: rows.map(({tally}) => tally).reduce(sum, nothing)},
];

const printMended = (rows: readonly Replayed[]): void =>
	printColumns(
		['clone', 'merges', 'git conflicts', 'disagree', 'code was mended', 'found', 'found there'],
		withAll(rows).map(({clone, tally}) => [
			clone,
			String(tally.merges),
			String(tally.gitConflicts),
			String(tally.disagree),
			String(tally.mended),
			String(tally.found),
			String(tally.foundThere),
		]),
	);

const printTable = (rows: readonly Replayed[]): void => {
	printColumns(
		['clone', 'merges', 'git conflicts', 'disagree', 'clean but blocked', 'altered and flagged'],
		withAll(rows).map(({clone, tally}) => [
			clone,
			String(tally.merges),
			String(tally.gitConflicts),
			String(tally.disagree),
			`${tally.blocked} of ${tally.clean}`,
			`${tally.flagged} of ${tally.altered}`,
		]),
	);
};
