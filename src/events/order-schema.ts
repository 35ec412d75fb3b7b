import {z} from 'zod';
import {namedProgram} from './plan.ts';

const words = z
	.string()
	.regex(/\S/)
	.max(64 * 1024);

/** Identifies one of several people, or shells, in an agent's worktree. */
const visit = z.string().min(1).max(100);

/**
A person's order to one agent, in any state and without an item of the inbox.

- `message`: tells it something at its next turn; `now` ends the current turn for that, and with `command` the text is sent unchanged, as a command that the agent announced.
- `pause`: ends its turn, and starts none; `resume` continues, with words if there are any. With a `visit` a person enters its worktree or leaves it: it stays paused as long as any visit lasts.
- `restart`: starts over in a new conversation, from a snapshot or the current files (null), optionally with another program.
- `switch`: continues the conversation in its next turn with this model, or in this mode.
- `grant`: allows it to write these paths, and restores its reverted changes there.
- `check`: runs the plan's checks on its last snapshot.
- `stop`: removes it from the session and keeps its work.
*/
export const orderSchema = z.discriminatedUnion('verb', [
	z.strictObject({
		verb: z.literal('message'),
		text: words,
		now: z.literal(true).exactOptional(),
		command: z.literal(true).exactOptional(),
	}),
	z.strictObject({verb: z.literal('pause'), visit: visit.exactOptional()}),
	z.strictObject({
		verb: z.literal('resume'),
		text: words.exactOptional(),
		visit: visit.exactOptional(),
	}),
	z.strictObject({
		verb: z.literal('restart'),
		from: z.number().int().nullable(),
		/** Its new profile, with the program. */
		as: namedProgram.exactOptional(),
		/** The person's words to it. */
		text: words.exactOptional(),
		/** The failure that this answers: once that is decided, the agent doesn't start over. */
		item: z.string().max(100).exactOptional(),
	}),
	z.strictObject({
		verb: z.literal('switch'),
		what: z.enum(['model', 'mode']),
		to: z.string().regex(/^\S+$/).max(200),
	}),
	z.strictObject({
		verb: z.literal('grant'),
		// The rules limit the number, with a message for the person.
		paths: z.array(z.string().min(1).max(4096)).min(1),
	}),
	z.strictObject({verb: z.literal('check')}),
	z.strictObject({verb: z.literal('stop')}),
]);
