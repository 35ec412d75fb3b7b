import {z} from 'zod';
import {planSchema, subtaskSchema} from '../schema.ts';

/**
What a planner may propose of a plan.

What decides how agents are started, what runs before anybody looks, or where the result goes is for a person to write.
*/
export const proposable = {
	plan: ['version', 'task', 'context', 'success', 'verify', 'agents'],
	subtask: ['id', 'subtask', 'goal', 'scope', 'agent', 'inputs', 'metrics', 'after', 'output'],
} as const;

/** Returns the keys that a planner may write, one a line, as the schema of a plan file describes them. */
export const planFormat = (): string =>
	[
		...proposable.plan.map(key => line('', key, planSchema.shape[key])),
		...proposable.subtask.map(key => line('  ', key, subtaskSchema.shape[key])),
	].join('\n');

const line = (indent: string, key: string, schema: z.ZodType): string =>
	`${indent}${key} (${kindOf(schema)}): ${schema.description ?? ''}`;

const kindOf = (schema: z.ZodType): string => {
	if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault) {
		const inner = schema.unwrap();
		return inner instanceof z.ZodType ? kindOf(inner).replace(/, needed$/, '') : 'text';
	}

	if (schema instanceof z.ZodLiteral) {
		return `always ${[...schema.values].join(', ')}`;
	}

	if (schema instanceof z.ZodArray) {
		return 'list';
	}

	return schema instanceof z.ZodObject
		? `{${Object.keys(schema.shape)
				.map(key => `${key}: list`)
				.join(', ')}}`
		: 'text, needed';
};
