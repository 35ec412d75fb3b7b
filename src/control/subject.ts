import {z} from 'zod';

const agent = z.string().max(100);
const item = z.string().max(100);
const number = z.number().int().min(0);

/** An agent's work, as its last snapshot holds it. */
const work = z.object({of: z.literal('work'), agent});
/** What an agent changed since a snapshot. */
const since = z.object({of: z.literal('since'), agent, snapshot: number});
/** The result that waits for approval. */
const result = z.object({of: z.literal('result')});
const listed = z.discriminatedUnion('of', [work, since, result]);

/** What a reader may ask the supervisor to show. */
export const subject = z.discriminatedUnion('of', [
	/** The changed files of one of these, a `ListedFile` in each line as JSON. */
	z.object({of: z.literal('files'), in: listed}),
	work,
	/** An agent's work in parts that can be picked. */
	z.object({of: z.literal('parts'), agent}),
	since,
	/** What an agent changed outside its scope and was reverted. */
	z.object({of: z.literal('reverted'), agent}),
	/** What would change in a worktree that is set back to a snapshot. */
	z.object({of: z.literal('restore'), agent, snapshot: number}),
	result,
	/** What one side of a conflict did. */
	z.object({of: z.literal('side'), item, side: z.enum(['a', 'b'])}),
	/** What a choice about a conflict would make of all the work. */
	z.object({of: z.literal('outcome'), item, choice: z.string().max(1000)}),
	/** The hunks of a conflict that is resolved by hand. */
	z.object({of: z.literal('hunks'), item}),
	/** What led to the lines of one of those hunks. */
	z.object({of: z.literal('trail'), item, hunk: number}),
]);
export type Subject = z.infer<typeof subject>;

/** What changes files that can be listed. */
export type Listed = z.infer<typeof listed>;

/** Returns a subject in one word, which is never read back: what was shown of it is kept under that. */
export const subjectText = (subject: Subject): string => {
	switch (subject.of) {
		case 'files':
			return `files:${subjectText(subject.in)}`;
		case 'work':
			return subject.agent;
		case 'parts':
			return `parts:${subject.agent}`;
		case 'since':
		case 'restore':
			return `${subject.of}:${subject.agent}:${subject.snapshot}`;
		case 'reverted':
			return `reverted:${subject.agent}`;
		case 'result':
			return 'result';
		case 'side':
			return `side:${subject.item}:${subject.side}`;
		case 'outcome':
			return `outcome:${subject.item}:${subject.choice}`;
		case 'hunks':
			return `hunks:${subject.item}`;
		case 'trail':
			return `trail:${subject.item}:${subject.hunk}`;
	}
};
