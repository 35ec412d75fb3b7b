import {z} from 'zod';
import type {CallerIntent} from '../../control/caller.ts';
import {subject} from '../../control/subject.ts';
import {orderSchema} from '../../events/order-schema.ts';
import {pickedSchema} from '../../events/picked.ts';
import {
	environment,
	environments,
	type Frozen,
	namedProgram,
	planSchema,
	subtaskSchema,
} from '../../events/plan.ts';
import {settingsSchema} from '../../events/settings.ts';
import {Failure} from '../../lib/failure.ts';
import {sentStep} from '../../rules/by-hand/steps.ts';

const index = z.number().int().min(0);
const longText = z.string().max(64 * 1024);
const by = z.enum(['user', 'demo', 'web']);

/** A person's typed decision about an item. */
const typed = z.object({
	item: z.string().max(100),
	choice: longText,
	note: longText.exactOptional(),
});

/** All requests that a supervisor accepts over its socket. */
export const requestSchema = z.discriminatedUnion('do', [
	z.object({
		do: z.literal('start'),
		plan: planSchema,
		environments,
		settings: settingsSchema,
		warnings: z.array(z.string()),
		approved: z.boolean(),
		demo: z.boolean(),
	}),
	typed.extend({
		do: z.literal('decide'),
		by,
		plan: planSchema.exactOptional(),
		warnings: z.array(z.string()).exactOptional(),
		subtask: subtaskSchema.exactOptional(),
		patch: z.string().exactOptional(),
		picked: pickedSchema.exactOptional(),
		despite: z.array(z.string()).exactOptional(),
		environments: environments.exactOptional(),
		/** Program of an arbiter, with its environment, which is in no event. */
		program: namedProgram.exactOptional(),
		environment: environment.exactOptional(),
	}),
	/** Answers several questions together, or none of them. */
	z.object({
		do: z.literal('answer'),
		answers: z.array(typed).min(1).max(100),
		by,
	}),
	z.object({
		do: z.literal('add'),
		/** Complete subtask of the new agent; the supervisor assigns its id. */
		subtask: subtaskSchema.exactOptional(),
		environment: environment.exactOptional(),
		/** Other agents with the same task; a person takes the best work. */
		rivals: z
			.array(
				z.object({
					subtask: subtaskSchema,
					environment: environment.exactOptional(),
				}),
			)
			.max(2)
			.exactOptional(),
		/** A sentence instead; the other settings come from another agent. */
		task: longText.min(1).exactOptional(),
		like: z.string().exactOptional(),
		/** Scope in place of that agent's. */
		scope: z
			.object({
				allowed: z.array(z.string()).exactOptional(),
				forbidden: z.array(z.string()).exactOptional(),
			})
			.exactOptional(),
	}),
	z.object({
		do: z.literal('by-hand'),
		item: z.string().max(100),
		/** Number of steps that the person's screen knew. */
		after: index,
		steps: z.array(sentStep).max(1000),
	}),
	z.object({
		do: z.literal('merge'),
		/** Agents' ids, or `accepted` for all whose work is accepted so far. */
		agents: z.union([z.literal('accepted'), z.array(z.string().max(100)).min(1).max(100)]),
	}),
	z.object({do: z.literal('stop')}),
	z.object({do: z.literal('withdraw'), allowance: z.string().max(100)}),
	z.object({
		do: z.literal('steer'),
		agent: z.string().max(100),
		order: orderSchema,
		environment: environment.exactOptional(),
	}),
	/** Answered once the supervisor knows its findings at the start. */
	z.object({do: z.literal('wait')}),
	z.object({
		do: z.literal('undo'),
		/** Redoes the last undo, even if other merges are in place. */
		redo: z.literal(true).exactOptional(),
		/** The person's confirmation; without it the answer only describes the move. */
		agreed: z
			.object({
				turn: z.enum(['undo', 'redo']),
				merge: z.string().max(100),
				from: z.string().max(100).exactOptional(),
				settings: z.string().max(100).exactOptional(),
			})
			.exactOptional(),
	}),
	/** A person is about to push a merge with their own git, or has pushed it. */
	z.object({
		do: z.literal('push'),
		to: z.enum(['begun', 'done', 'failed']),
		commit: z.string().max(100),
		remote: z.string().max(1000),
		branch: z.string().max(1000),
		commands: z.array(z.string().max(4000)).max(2),
		page: z.string().max(4000).exactOptional(),
	}),
	/** Answered once the current content of an agent's worktree is pinned. */
	z.object({do: z.literal('capture'), agent: z.string().max(100)}),
	z.object({
		do: z.literal('show'),
		what: subject,
		offset: index.default(0),
		limit: z.number().int().min(1).max(1000).default(1000),
	}),
]);

export type SupervisorRequest = Frozen<z.infer<typeof requestSchema>>;
export type StartRequest = Extract<SupervisorRequest, {do: 'start'}>;

/**
Parses a request from the socket.

@throws `Failure` of kind `usage`; it says so if just one text is too long, since a person can fix that
*/
export const readRequest = (body: unknown): SupervisorRequest => {
	const parsed = requestSchema.safeParse(body);
	if (parsed.success) {
		return parsed.data;
	}

	for (const issue of parsed.error.issues) {
		if (issue.code === 'too_big' && issue.origin === 'string') {
			throw new Failure(
				'usage',
				`That text is too long: ${issue.maximum} characters are allowed.`,
				{
					hint: 'say it in fewer words, or name a file that the agent can read',
				},
			);
		}
	}

	throw new Failure('usage', 'The supervisor does not understand this request.', {
		hint: 'the screen and the supervisor may be of different versions',
	});
};

export const tokenIn = (body: unknown): string | undefined => shown.safeParse(body).data?.token;

const shown = z.object({token: z.string().max(200).exactOptional()});

/** Returns whether a request decides something, or starts something that a person decides later. */
export const intentOf = (request: SupervisorRequest): CallerIntent => {
	switch (request.do) {
		case 'start':
			return request.approved ? 'deciding' : 'starting';
		case 'add':
		case 'merge':
		case 'stop':
		case 'wait':
		case 'capture':
		case 'show':
			return 'starting';
		case 'decide':
		case 'answer':
		case 'by-hand':
		case 'withdraw':
		case 'steer':
		case 'undo':
		case 'push':
			return 'deciding';
	}
};
