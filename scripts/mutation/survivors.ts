import {z} from 'zod';
import type {Mutant} from './report.ts';

const survivor = z.strictObject({
	within: z.string(),
	on: z.string(),
	was: z.string(),
	became: z.string(),
});

/** Accepted survivors of one place, and the reason; identified by the texts of the place, so that its code can move. */
export const survivorsSchema = z.array(
	z.strictObject({file: z.string(), why: z.string(), mutants: z.array(survivor)}),
);

type Survivors = z.infer<typeof survivorsSchema>;
type Survivor = z.infer<typeof survivor> & {readonly file: string};

/** Prints the number of noticed mutants, by file and in total, and the survivors; a reason must still be needed, and at one place only. */
export const judge = (
	mutants: readonly Mutant[],
	known: Survivors,
	leastPercent: number,
): {readonly text: string; readonly isGood: boolean} => {
	const files = [...new Set(mutants.map(({file}) => file))];
	const survivors = mutants.filter(({isNoticed}) => !isNoticed);
	const reasons = known.flatMap(({file, mutants: some}) => some.map(one => ({...one, file})));
	const unknown = survivors.filter(mutant => !reasons.some(reason => isOf(reason, mutant)));
	const wrong = reasons
		.filter(({file}) => files.includes(file))
		.map(reason => ({reason, places: placesOf(reason, survivors)}))
		.filter(({places}) => places !== 1);
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
		...wrong.map(
			({reason: {file, within, was, became}, places}) =>
				`a reason for ${places} places: ${file}, ${within}: ${was} → ${became}`,
		),
	];
	return {
		text: lines.join('\n'),
		isGood: unknown.length === 0 && wrong.length === 0 && percentOf(mutants) >= leastPercent,
	};
};

const isOf = (reason: Survivor, mutant: Mutant): boolean =>
	(['file', 'within', 'on', 'was', 'became'] as const).every(part => reason[part] === mutant[part]);

const placesOf = (reason: Survivor, survivors: readonly Mutant[]): number =>
	new Set(survivors.filter(mutant => isOf(reason, mutant)).map(({line}) => line)).size;

const tally = (name: string, mutants: readonly Mutant[]): string => {
	const killed = mutants.filter(({isNoticed}) => isNoticed).length;
	const survived = mutants.length - killed;
	return `${name}: ${killed} killed, ${survived} survived (${percentOf(mutants).toFixed(1)} %)`;
};

const percentOf = (mutants: readonly Mutant[]): number =>
	(100 * mutants.filter(({isNoticed}) => isNoticed).length) / mutants.length;
