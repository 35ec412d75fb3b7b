import {z} from 'zod';
import type {Mutant} from './report.ts';

/** What may survive, and why; found again by its text, so that it may move with its code. */
export const survivorsSchema = z.array(
	z.strictObject({
		file: z.string(),
		why: z.string(),
		mutants: z.array(z.strictObject({was: z.string(), became: z.string()})),
	}),
);

type Survivors = z.infer<typeof survivorsSchema>;

/** Tells how many mutants were noticed, in each file and in all, and which weren't. */
export const judge = (
	mutants: readonly Mutant[],
	known: Survivors,
	leastPercent: number,
): {readonly text: string; readonly isGood: boolean} => {
	const files = [...new Set(mutants.map(({file}) => file))];
	const survivors = mutants.filter(({isNoticed}) => !isNoticed);
	const isKnown = (mutant: Mutant) =>
		known.some(
			({file, mutants: some}) =>
				file === mutant.file &&
				some.some(({was, became}) => was === mutant.was && became === mutant.became),
		);
	const unknown = survivors.filter(mutant => !isKnown(mutant));
	const lines = [
		...files.map(name =>
			tally(
				name,
				mutants.filter(({file}) => file === name),
			),
		),
		tally('all', mutants),
		...unknown.map(
			({file, line, was, became}) =>
				`survived without a reason: ${file}:${line} ${was} → ${became}`,
		),
	];
	return {
		text: lines.join('\n'),
		isGood: unknown.length === 0 && percentOf(mutants) >= leastPercent,
	};
};

const tally = (name: string, mutants: readonly Mutant[]): string => {
	const killed = mutants.filter(({isNoticed}) => isNoticed).length;
	const survived = mutants.length - killed;
	return `${name}: ${killed} killed, ${survived} survived (${percentOf(mutants).toFixed(1)} %)`;
};

const percentOf = (mutants: readonly Mutant[]): number =>
	(100 * mutants.filter(({isNoticed}) => isNoticed).length) / mutants.length;
