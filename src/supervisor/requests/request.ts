import {z} from 'zod';
import {subject} from '../../control/subject.ts';
import type {Settings} from '../../events/event.ts';
import type {NotifySettings} from '../../events/notify-preferences.ts';
import {sentStep} from '../../rules/by-hand/step-schema.ts';
import type {Picked} from '../../state/items/picked.ts';
import type {Environments} from '../world.ts';
import {orderSchema} from './order-schema.ts';
import {namedProgram, planSchema, subtaskSchema} from './plan-schema.ts';

const environment = z.record(z.string(), z.string());
const environments: z.ZodType<Environments> = z.record(z.string(), environment);

const notify: z.ZodType<NotifySettings> = z.strictObject({
	desktop: z.boolean(),
	kinds: z.array(z.string()).exactOptional(),
	quiet: z.strictObject({from: z.number(), to: z.number()}).exactOptional(),
});

const settings: z.ZodType<Settings> = z.strictObject({
	parallel: z.number(),
	quickMs: z.number(),
	docs: z.boolean(),
	staggerMs: z.number().exactOptional(),
	files: z.number(),
	checkpointMs: z.number(),
	questionsHome: z.string().exactOptional(),
	notify: notify.exactOptional(),
	modelRetriesMs: z.array(z.number()).max(10),
	checks: z.number(),
	testsAt: z.literal('checkpoint').exactOptional(),
	profiles: z.array(z.string()).exactOptional(),
} satisfies Readonly<Record<keyof Settings, z.ZodType>>);

const index = z.number().int().min(0);
const longText = z.string().max(64 * 1024);
const by = z.enum(['user', 'demo', 'web']);

/** What is typed about an item. */
const typed = z.object({
	item: z.string().max(100),
	choice: longText,
	note: longText.optional(),
});

const pickedOf = z.strictObject({
	work: z.string().max(100),
	parts: z
		.array(z.strictObject({file: index, hunks: z.union([z.literal('all'), z.array(index)])}))
		.min(1),
});

const pickedSchema: z.ZodType<Picked> = pickedOf.extend({
	also: z.array(pickedOf.extend({agent: z.string().max(100)})).exactOptional(),
});

/** Everything that can be asked of a supervisor over its socket. */
export const requestSchema = z.discriminatedUnion('do', [
	z.object({
		do: z.literal('start'),
		plan: planSchema,
		environments,
		settings,
		warnings: z.array(z.string()),
		approved: z.boolean(),
		demo: z.boolean(),
	}),
	typed.extend({
		do: z.literal('decide'),
		by,
		plan: planSchema.optional(),
		warnings: z.array(z.string()).optional(),
		subtask: subtaskSchema.optional(),
		patch: z.string().optional(),
		picked: pickedSchema.optional(),
		environments: environments.optional(),
		/** What an arbiter is to be started as, and the environment of that, which no event holds. */
		program: namedProgram.optional(),
		environment: environment.optional(),
	}),
	/** Answers several questions together, or none of them. */
	z.object({
		do: z.literal('answer'),
		answers: z.array(typed).min(1).max(100),
		by,
	}),
	z.object({
		do: z.literal('add'),
		/** The whole of the new agent's part; its id is given here. */
		subtask: subtaskSchema.optional(),
		environment: environment.optional(),
		/** Others that do the same, so that the best of their works is taken. */
		rivals: z
			.array(
				z.object({
					subtask: subtaskSchema,
					environment: environment.optional(),
				}),
			)
			.max(2)
			.optional(),
		/** A sentence instead; the rest is taken from another agent. */
		task: longText.min(1).optional(),
		like: z.string().optional(),
	}),
	z.object({
		do: z.literal('by-hand'),
		item: z.string().max(100),
		after: index,
		steps: z.array(sentStep).max(1000),
		lay: index.optional(),
		take: index.optional(),
	}),
	z.object({do: z.literal('stop')}),
	z.object({do: z.literal('withdraw'), allowance: z.string().max(100)}),
	z.object({
		do: z.literal('steer'),
		agent: z.string().max(100),
		order: orderSchema,
		environment: environment.optional(),
	}),
	/** Is answered once it is told what a start has found. */
	z.object({do: z.literal('wait')}),
	z.object({
		do: z.literal('undo'),
		/** What a person agreed to; without it the answer only tells what would be done. */
		agreed: z
			.object({
				turn: z.enum(['undo', 'redo']),
				merge: z.string().max(100),
				from: z.string().max(100).optional(),
				settings: z.string().max(100).optional(),
			})
			.optional(),
	}),
	/** Is answered once what an agent's worktree holds now is pinned. */
	z.object({do: z.literal('capture'), agent: z.string().max(100)}),
	z.object({
		do: z.literal('show'),
		what: subject,
		offset: index.default(0),
		limit: z.number().int().min(1).max(1000).default(1000),
	}),
]);

export type SupervisorRequest = z.infer<typeof requestSchema>;
export type StartRequest = Extract<SupervisorRequest, {do: 'start'}>;
