import {z} from 'zod';
import type {Step} from './steps.ts';

const hunk = z.number().int().min(0);
const taken = z.strictObject({
	take: z.enum(['left', 'right', 'base', 'left-right', 'right-left']),
});
const undo = z.strictObject({do: z.literal('undo')});

/** A step as a person's screen sends it: what they wrote comes by a file, never in a step of theirs. */
export const sentStep = z.discriminatedUnion('do', [
	z.strictObject({do: z.literal('pick'), hunk, pick: taken}),
	undo,
]);

/** Any step. */
export const stepSchema: z.ZodType<Step> = z.discriminatedUnion('do', [
	z.strictObject({
		do: z.literal('pick'),
		hunk,
		pick: z.union([taken, z.strictObject({take: z.literal('edited'), content: z.string()})]),
	}),
	z.strictObject({do: z.literal('rewrite'), content: z.string().nullable()}),
	undo,
]);
