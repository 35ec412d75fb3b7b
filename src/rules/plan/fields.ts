import {z} from 'zod';
import type {Load, LoadKind} from '../../events/load.ts';
import {type AgentCommand, type ProgramOrigin, words} from '../../events/plan.ts';
import {agentVendors, streamVendors} from '../../events/vendors.ts';
import {formatDuration, parseDuration} from '../../lib/text/duration.ts';
import {defined} from '../../lib/values.ts';
import {whyBadGlob, whyBadPath} from '../../state/agent/scope.ts';
import {imageTypeOf, imageTypes} from './acp-options/check-acp-options.ts';
import {predicate} from './wording.ts';

/** An optional list; its length is bounded, since some checks compare all pairs. */
export const listOf = <Entry extends z.ZodType>(entry: Entry) =>
	z.array(entry).max(100).default([]);

const glob = z.string().superRefine((text, context) => {
	refuse(context, whyBadGlob(text));
});

/** Globs of a scope; the limit is far above hand-written plans, since each granted path becomes a glob, and the session's plan is shown in the form. */
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

/** Time that an agent may work; a week is far below a timer's maximum. */
export const agentTimeout = duration({minMs: 1000, maxMs: 7 * 24 * 3_600_000});

const mebibytes = (min: number) => z.int().min(min).exactOptional();

/** Limits of an agent's processes: memory in MiB, their number, and CPU time. */
export const loadLimits = {
	memory: mebibytes(64),
	processes: z.int().min(4).exactOptional(),
	cpu: duration({minMs: 60_000, maxMs: 30 * 24 * 3_600_000}).exactOptional(),
	disk: mebibytes(64),
	output: mebibytes(1),
} satisfies Readonly<Record<LoadKind, z.ZodType>>;

/** Converts written limits to bytes and milliseconds. */
export const loadOf = ({memory, disk, output, processes, cpu}: Load): Load => {
	const inBytes = (amount: number | undefined) => amount && amount * 2 ** 20;
	return defined({
		...{memory: inBytes(memory), disk: inBytes(disk), output: inBytes(output)},
		...{processes, cpu},
	});
};

/** Converts limits back to the form of a plan. */
export const writtenLoad = ({memory, disk, output, processes, cpu}: Load) => {
	const inMebibytes = (amount: number | undefined) => amount && amount / 2 ** 20;
	return defined({
		...{memory: inMebibytes(memory), disk: inMebibytes(disk), output: inMebibytes(output)},
		...{processes, cpu: cpu && formatDuration(cpu)},
	});
};

/** An argument or an environment value: any text without NUL. */
const argument = z.string().refine(text => !text.includes('\0'), {error: 'holds a NUL character'});

const variableName = z.string().refine(name => /^[^=\0]+$/.test(name), {
	error: 'can’t name an environment variable',
});

const command = z
	.array(argument)
	.min(1)
	.refine(([program]) => program !== '', {error: 'must start with the name of a program'});

/** A picture of a type that models read. */
export const imagePath = repositoryPath.refine(path => imageTypeOf(path) !== undefined, {
	error: `must be a picture: ${Object.keys(imageTypes).join(', ')}`,
});

/** Name of our own server, whose calls need no permission. */
const ownServer = 'delegate-tui';

/** A person's own tool server. */
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

/** Words the error of the key `protocol`, which decides between the shapes; a value that is no map has its own words. */
const notProtocol = ({code, input}: z.core.$ZodRawIssue): string | undefined => {
	if (code !== 'invalid_union') {
		return undefined;
	}

	const isWritten = typeof input === 'object' && input !== null && 'protocol' in input;
	return `${isWritten ? '' : 'is missing: it '}must be \`text\` or \`acp\``;
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

/** An agent and its protocol. */
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

const builtInProfiles = [
	...agentVendors,
	...streamVendors.map(vendor => `${vendor}-print` as const),
] as const;

/** A built-in profile with changes. */
const extension = z.strictObject({
	extends: z.enum(builtInProfiles),
	command: command.exactOptional(),
	model,
	trust,
	env,
});

/** An agent, as a profile of the config or inside a plan. */
export const agentProfile = z.union([spelledOut, extension], {
	error: issue =>
		typeof issue.input === 'object' && issue.input !== null && !Array.isArray(issue.input)
			? undefined
			: predicate({...issue, code: 'invalid_type', expected: 'object'}),
});

/** An agent as a file gives it. */
export type WrittenProfile = z.output<typeof agentProfile>;

/** Changes to a profile. */
export type Extension = z.output<typeof extension>;

/** An agent as the supervisor starts it. */
export type AgentProfile = AgentCommand & {
	readonly env?: Readonly<Record<string, string>>;
	/** Author; absent if it is built in. */
	readonly by?: ProgramOrigin['by'];
	/** Variables whose values come from the person's own config, although another file changed the profile. */
	readonly yours?: readonly string[];
};

const notDuration = 'must be a duration such as 1h, 90s, 30min or 1h30m';

const isAbsent = (input: unknown): boolean => input === undefined || input === null;

const refuse = (context: z.RefinementCtx, why: string | undefined): void => {
	if (why !== undefined) {
		context.addIssue({code: 'custom', message: why});
	}
};
