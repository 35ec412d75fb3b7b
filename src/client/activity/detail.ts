import {z} from 'zod';
import {readJson} from '../../lib/text/json-object.ts';

/** Numbers that an agent may leave out. */
const some = z.number().exactOptional();

const cost = z.object({amount: z.number(), currency: z.string()}).exactOptional();

const entry = z.object({content: z.string(), priority: z.string(), status: z.string()});

const diff = z.object({path: z.string(), oldText: z.string(), newText: z.string()});

/** Where and when it was told: by which agent, in which turn, and behind how many bytes of its words. */
const origin = {at: z.string(), agent: z.string(), turn: z.number(), offset: z.number().default(0)};

const detailSchema = z.discriminatedUnion('kind', [
	z.object({
		...origin,
		kind: z.literal('thought'),
		text: z.string(),
		message: z.string().exactOptional(),
	}),
	z.object({...origin, kind: z.literal('plan'), entries: z.array(entry).readonly()}),
	z.object({
		...origin,
		kind: z.literal('tool'),
		id: z.string(),
		title: z.string(),
		tool: z.string(),
		status: z.enum(['pending', 'in_progress', 'completed', 'failed']),
		paths: z.array(z.string()).readonly(),
		command: z.string().exactOptional(),
		diffs: z.array(diff).readonly().exactOptional(),
		durationMs: some,
	}),
	z.object({
		...origin,
		kind: z.literal('tokens'),
		input: some,
		output: some,
		total: some,
		cost,
	}),
	z.object({...origin, kind: z.literal('usage'), used: z.number(), size: z.number(), cost}),
	z.object({...origin, kind: z.literal('refusal'), title: z.string()}),
	z.object({...origin, kind: z.literal('trouble'), text: z.string()}),
	z.object({...origin, kind: z.literal('retrying'), why: z.string()}),
	z.object({...origin, kind: z.literal('unmet'), what: z.string()}),
	z.object({
		...origin,
		kind: z.literal('changed'),
		files: z.number(),
		paths: z.array(z.string()).readonly(),
	}),
	z.object({
		...origin,
		kind: z.literal('introduction'),
		name: z.string(),
		version: z.string(),
	}),
]);

/** What an agent told of itself besides its words, as it stands in the telemetry. */
export type Detail = z.output<typeof detailSchema>;

export type DetailOf<Kind extends Detail['kind']> = Extract<Detail, {kind: Kind}>;

/** Reads a line of the telemetry; one that is torn or of no use here is nothing, since nothing is decided by it. */
export const readDetail = (line: string): Detail | undefined =>
	detailSchema.safeParse(readJson(line)).data;
