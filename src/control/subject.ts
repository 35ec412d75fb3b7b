import * as z from 'zod/mini';

/** A subject that a reader may ask the supervisor to show. */
export const subject = z.lazy(() => {
	const agent = z.string().check(z.maxLength(100));
	const item = z.string().check(z.maxLength(100));
	const number = z.int().check(z.minimum(0));
	/** Lines of context around each change; default: git's three. */
	const context = z.exactOptional(z.int().check(z.minimum(0), z.maximum(100_000)));
	/** An agent's work in its last snapshot. */
	const work = z.object({of: z.literal('work'), agent, context});
	/** An agent's changes since a snapshot. */
	const since = z.object({of: z.literal('since'), agent, snapshot: number, context});
	/** The result that waits for approval. */
	const result = z.object({of: z.literal('result'), context});
	const listed = z.discriminatedUnion('of', [work, since, result]);
	const path = z.string().check(z.maxLength(10_000));
	return z.discriminatedUnion('of', [
		/** Changes of one of these in a single file; if it has been renamed since, under both names. */
		z.object({
			of: z.literal('file'),
			in: listed,
			paths: z.readonly(z.array(path).check(z.minLength(1), z.maxLength(2))),
		}),
		/** Changed files of one of these, a `ListedFile` per line as JSON. */
		z.object({of: z.literal('files'), in: listed}),
		work,
		/** An agent's work in parts that can be picked. */
		z.object({of: z.literal('parts'), agent}),
		since,
		/** An agent's reverted changes outside its scope. */
		z.object({of: z.literal('reverted'), agent}),
		/** Changes that restoring a worktree to a snapshot would make. */
		z.object({of: z.literal('restore'), agent, snapshot: number}),
		result,
		/** One side's changes in a conflict. */
		z.object({of: z.literal('side'), item, side: z.enum(['a', 'b'])}),
		/** Outcome of a conflict's choice for all work. */
		z.object({of: z.literal('outcome'), item, choice: z.string().check(z.maxLength(1000))}),
		/** The hunks of a conflict that is resolved by hand. */
		z.object({of: z.literal('hunks'), item}),
	]);
});
export type Subject = z.infer<typeof subject>;

export type Listed = Extract<Subject, {of: 'files'}>['in'];
