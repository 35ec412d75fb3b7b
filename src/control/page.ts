import {z} from 'zod';

/** A page of something that is too big for an event, as the supervisor answers it to `show`. */
export const page = z.object({
	lines: z.array(z.string()).readonly(),
	total: z.number(),
	/** Where the following page starts; null at the end. */
	next: z.number().nullable(),
	/** How many of these lines are longer than they are shown. */
	cut: z.number(),
	/** What has to be known to read it right. */
	remark: z.string().exactOptional(),
	/** What a choice would make of all the work: in sentences, and whatever else is told of it. */
	preview: z.looseObject({words: z.array(z.string()).readonly()}).exactOptional(),
});
export type Page = z.infer<typeof page>;
