import {z} from 'zod';
import {allowance, hostNames, supervisionPolicy, words} from '../../events/plan.ts';
import {occasions} from '../../rules/notifications.ts';
import {agentProfile, agentTimeout, duration, loadLimits} from '../../rules/plan/fields.ts';
import {colorNames, themeNames, tones} from '../../tui/colors.ts';

/**
A quick wait of more than eight minutes would exceed the timeout of agents' tools; 0
escalates at once.
*/
const quickWait = z.union([z.literal(0), duration({minMs: 0, maxMs: 8 * 60_000})], {
	error: 'must be a duration such as 5min, or 0',
});

const home = words.refine(path => path.startsWith('/') || path === '~' || path.startsWith('~/'), {
	error: 'must be an absolute path, or start with `~/`',
});

const tone = words.refine(name => tones.some(tone => tone === name), {
	error: `must be one of ${tones.join(', ')}`,
});

const color = words.regex(new RegExp(`^(?:${colorNames.join('|')}|#[0-9a-fA-F]{6})$`), {
	error: `must be ${colorNames.join(', ')} or #rrggbb`,
});

/** A line that `git interpret-trailers` accepts as a trailer. */
const trailer = words.regex(/^[A-Za-z][\w-]*: \S[^\n]*$/, {
	error: 'must be a line such as `Reviewed-by: Ada <ada@example.org>`',
});

const sandboxMode = z.enum(['auto', 'required', 'off']);

const sandboxParts = z.strictObject({
	mode: sandboxMode.exactOptional(),
	network: z.union([z.enum(['open', 'off']), z.strictObject({hosts: hostNames})]).exactOptional(),
});

/** The sandbox; a single word is its mode. */
const sandbox = z.union(
	[sandboxMode.transform((mode): z.output<typeof sandboxParts> => ({mode})), sandboxParts],
	{
		error:
			'must be `auto`, `required` or `off`, or have a `mode` and a `network` (`open`, `off` or `{hosts: […]}`)',
	},
);

/**
A config file, with only optional keys: the source of its validation, its types and its
JSON schema.
*/
export const configSchema = z.strictObject({
	agents: z.record(words, agentProfile).exactOptional(),
	limits: z
		.strictObject({
			parallel: z.int().min(1).max(3).exactOptional(),
			timeout: agentTimeout.exactOptional(),
			files: z.int().min(1).exactOptional(),
			depth: z.int().min(1).max(20).exactOptional(),
			...loadLimits,
			checkpoint: duration({minMs: 60_000, maxMs: 24 * 3_600_000}).exactOptional(),
			checks: z.int().min(1).max(7).exactOptional(),
			stagger: duration({minMs: 0, maxMs: 60_000}).exactOptional(),
			retries: z
				.array(duration({minMs: 0, maxMs: 24 * 3_600_000}))
				.max(10)
				.exactOptional(),
		})
		.exactOptional(),
	questions: z
		.strictObject({quick: quickWait.exactOptional(), home: home.exactOptional()})
		.exactOptional(),
	notify: z
		.strictObject({
			desktop: z.boolean().exactOptional(),
			bell: z.boolean().exactOptional(),
			terminal: z.boolean().exactOptional(),
			title: z.boolean().exactOptional(),
			kinds: z.array(z.enum(occasions)).exactOptional(),
		})
		.exactOptional(),
	supervision: supervisionPolicy.exactOptional(),
	planner: words.exactOptional(),
	check: z.array(words).max(100).exactOptional(),
	web: z.strictObject({approve: z.boolean().exactOptional()}).exactOptional(),
	tests: z.strictObject({at: z.enum(['claim', 'checkpoint', 'never'])}).exactOptional(),
	types: z
		.strictObject({
			files: z.int().min(1).exactOptional(),
			read: z.int().min(1).exactOptional(),
			memory: z.int().min(64).exactOptional(),
			seconds: z.int().min(1).max(86_400).exactOptional(),
		})
		.exactOptional(),
	docs: z.boolean().exactOptional(),
	merge: z.enum(['squash', 'per-agent']).exactOptional(),
	trailers: z.array(trailer).max(20).exactOptional(),
	allow: allowance.exactOptional(),
	sandbox: sandbox.exactOptional(),
	keys: z.record(words, words).exactOptional(),
	theme: z.enum(themeNames).exactOptional(),
	colors: z.record(tone, color).exactOptional(),
	mouse: z.boolean().exactOptional(),
});

export type FileSettings = z.output<typeof configSchema>;
