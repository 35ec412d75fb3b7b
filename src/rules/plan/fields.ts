import {z} from 'zod';
import type {Load, LoadKind} from '../../events/load.ts';
import {type AgentCommand, type ProgramOrigin, words} from '../../events/plan.ts';
import {agentVendors, streamVendors} from '../../events/vendors.ts';
import {formatDuration, parseDuration} from '../../lib/text/duration.ts';
import {defined} from '../../lib/values.ts';
import {whyBadGlob, whyBadPath} from '../../state/agent/scope.ts';
import {imageTypeOf, imageTypes} from './acp-options/check-acp-options.ts';
import {predicate} from './wording.ts';

/** A list that may be left out; its length is bounded, since some checks compare each with each. */
export const listOf = <Entry extends z.ZodType>(entry: Entry) =>
	z.array(entry).max(100).default([]);

const glob = z.string().superRefine((text, context) => {
	refuse(context, whyBadGlob(text));
});

/** The globs of a scope: more than anybody writes, since each path that a person grants in a session becomes one, and its plan is shown in the form. */
export const globs = z.array(glob).max(10_000).default([]);

/** A file or folder of the repository. */
export const repositoryPath = z.string().superRefine((text, context) => {
	refuse(context, whyBadPath(text));
});

/** Folders of a sparse checkout. */
export const folders = z
	.array(repositoryPath.transform(path => path.replace(/\/$/, '')))
	.min(1)
	.max(100);

/** A duration such as `1h30m`, read as milliseconds; both limits are included. */
export const duration = (limits: {readonly minMs: number; readonly maxMs: number}) =>
	z
		.string({error: ({input}) => (isAbsent(input) ? undefined : notDuration)})
		.transform((text, context) => {
			const durationMs = parseDuration(text);
			if (durationMs === undefined) {
				context.addIssue({code: 'custom', message: notDuration});
				return z.NEVER;
			}

			if (durationMs < limits.minMs || durationMs > limits.maxMs) {
				const [min, max] = [formatDuration(limits.minMs), formatDuration(limits.maxMs)];
				context.addIssue({code: 'custom', message: `must be between ${min} and ${max}`});
				return z.NEVER;
			}

			return durationMs;
		});

/** How long an agent may work; a week is far below what a timer can hold. */
export const agentTimeout = duration({minMs: 1000, maxMs: 7 * 24 * 3_600_000});

const mebibytes = (min: number) => z.int().min(min).exactOptional();

/** What the processes of an agent may use: MiB, their number, and time on the processor. */
export const loadLimits = {
	memory: mebibytes(64),
	processes: z.int().min(4).exactOptional(),
	cpu: duration({minMs: 60_000, maxMs: 30 * 24 * 3_600_000}).exactOptional(),
	disk: mebibytes(64),
	output: mebibytes(1),
} satisfies Readonly<Record<LoadKind, z.ZodType>>;

/** Returns such limits in bytes and milliseconds. */
export const loadOf = ({memory, disk, output, processes, cpu}: Load): Load => {
	const inBytes = (amount: number | undefined) => amount && amount * 2 ** 20;
	return defined({
		...{memory: inBytes(memory), disk: inBytes(disk), output: inBytes(output)},
		...{processes, cpu},
	});
};

/** Returns such limits as they are written. */
export const writtenLoad = ({memory, disk, output, processes, cpu}: Load) => {
	const inMebibytes = (amount: number | undefined) => amount && amount / 2 ** 20;
	return defined({
		...{memory: inMebibytes(memory), disk: inMebibytes(disk), output: inMebibytes(output)},
		...{processes, cpu: cpu && formatDuration(cpu)},
	});
};

/** An argument or a value of the environment: any text that a process can be given. */
const argument = z.string().refine(text => !text.includes('\0'), {error: 'holds a NUL character'});

const variableName = z.string().refine(name => /^[^=\0]+$/.test(name), {
	error: 'can’t name an environment variable',
});

const command = z
	.array(argument)
	.min(1)
	.refine(([program]) => program !== '', {error: 'must start with the name of a program'});

/** A picture of a kind that models read. */
export const imagePath = repositoryPath.refine(path => imageTypeOf(path) !== undefined, {
	error: `must be a picture: ${Object.keys(imageTypes).join(', ')}`,
});

/** Calls of our own server are told by this name, and need no leave. */
const ownServer = 'delegate-tui';

/** A server of tools of a person's own. */
export const mcpServer = z.strictObject({
	name: z
		.string()
		.regex(/^[A-Za-z][\w-]{0,40}$/, {
			error: 'must be a letter, followed by letters, digits, - or _',
		})
		.refine(name => name !== ownServer, {error: 'is the name of delegate-tui’s own server'}),
	command: command.exactOptional().describe('how it is started'),
	env: z
		.array(variableName)
		.max(50)
		.exactOptional()
		.describe('names of variables that it gets from the environment of its agent'),
	url: z
		.url({protocol: /^https?$/, error: 'must be an address that begins with http:// or https://'})
		.exactOptional()
		.describe('its address on the network, instead of `command`'),
	type: z
		.enum(['http', 'sse'])
		.exactOptional()
		.describe('its transport on the network; http by default'),
	headers: z
		.record(z.string().regex(/^[\w-]+$/), variableName)
		.exactOptional()
		.describe('each header, with the name of the variable that holds its value'),
});

/** Only the key that tells the ways apart can be wrong here; a value that is no map has words already. */
const notProtocol = ({code, input}: z.core.$ZodRawIssue): string | undefined => {
	if (code !== 'invalid_union') {
		return undefined;
	}

	return typeof input === 'object' && input !== null && 'protocol' in input
		? 'must be `text` or `acp`'
		: 'is missing';
};

export const variables = z.record(variableName, argument);

const env = variables.exactOptional();

const model = words.exactOptional();
const trust = z.literal('project').exactOptional();

type Mixture = {
	readonly [key in 'reply' | 'stream' | 'model' | 'trust']?: string | undefined;
};

/** Refuses `model` and `trust` without `stream`, and `reply` with it. */
const refuseMixture = ({reply, stream, model, trust}: Mixture, context: z.RefinementCtx): void => {
	const lost = {model, trust};
	for (const key of ['model', 'trust'] as const) {
		if (stream === undefined && lost[key] !== undefined) {
			context.addIssue({code: 'custom', path: [key], message: 'needs `stream` as well'});
		}
	}

	if (stream !== undefined && reply !== undefined) {
		context.addIssue({code: 'custom', path: ['reply'], message: 'can’t be used with `stream`'});
	}
};

/** An agent and how to talk to it. */
const spelledOut = z.discriminatedUnion(
	'protocol',
	[
		z
			.strictObject({
				protocol: z.literal('text'),
				command,
				reply: z.literal('stdin').exactOptional(),
				stream: z.enum(streamVendors).exactOptional(),
				model,
				trust,
				env,
			})
			.superRefine(refuseMixture),
		z.strictObject({
			protocol: z.literal('acp'),
			command,
			tools: z.literal('http').exactOptional(),
			env,
		}),
	],
	{error: notProtocol},
);

/** Names of the profiles that every config has. */
const builtInProfiles = [
	...agentVendors,
	...streamVendors.map(vendor => `${vendor}-print` as const),
] as const;

/** A profile that every config has, with something changed. */
const extension = z.strictObject({
	extends: z.enum(builtInProfiles),
	command: command.exactOptional(),
	model,
	trust,
	env,
});

/** An agent as a profile of the config or inside a plan. */
export const agentProfile = z.union([spelledOut, extension], {
	error: issue =>
		typeof issue.input === 'object' && issue.input !== null && !Array.isArray(issue.input)
			? undefined
			: predicate({...issue, code: 'invalid_type', expected: 'object'}),
});

/** An agent as it is written. */
export type WrittenProfile = z.output<typeof agentProfile>;

/** Changes to a profile. */
export type Extension = z.output<typeof extension>;

/** An agent as it is started. */
export type AgentProfile = AgentCommand & {
	readonly env?: Readonly<Record<string, string>>;
	/** Its author; built in where it is absent. */
	readonly by?: ProgramOrigin['by'];
	/** Variables whose values it has from the person's own config, though somebody else changed it. */
	readonly yours?: readonly string[];
};

const notDuration = 'must be a duration such as 1h, 90s, 30min or 1h30m';

const isAbsent = (input: unknown): boolean => input === undefined || input === null;

const refuse = (context: z.RefinementCtx, why: string | undefined): void => {
	if (why !== undefined) {
		context.addIssue({code: 'custom', message: why});
	}
};
