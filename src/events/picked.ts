import {z} from 'zod';
import type {Frozen} from './plan.ts';

/** Parts of an agent's work that a person picked, by position in its diff. */
export type Picked = Frozen<z.infer<typeof pickedSchema>>;
export type PickedOf = Omit<Picked, 'also'>;
export type PickedPart = Picked['parts'][number];

const index = z.number().int().min(0);

const pickedOf = z.strictObject({
	/** Commit of the work that they saw; a pick from any other commit is ignored. */
	work: z.string().max(100),
	/** Changed files, counted from 0: all of each, or some of its hunks, also counted from 0. */
	parts: z
		.array(z.strictObject({file: index, hunks: z.union([z.literal('all'), z.array(index)])}))
		.min(1),
});

export const pickedSchema = pickedOf.extend({
	/** Picks from further rivals. */
	also: z.array(pickedOf.extend({agent: z.string().max(100)})).exactOptional(),
});
