import {z} from 'zod';
import {allowance, budget, resumeWhen, supervision, words} from '../../events/plan.ts';
import {
	agentProfile,
	agentTimeout,
	folders,
	globs,
	imagePath,
	listOf,
	loadLimits,
	mcpServer,
	repositoryPath,
	variables,
} from './fields.ts';

const agentId = z.string().regex(/^AGT-\d{3,}$/, {
	error: 'must be `AGT-` and at least three digits, such as AGT-001',
});

/** Name of a line signal, as an agent writes it before the colon. */
const signalName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, {
	error: 'must be a signal in upper case, such as SUMMARY',
});

export const subtaskFileSchema = z.strictObject({
	id: agentId.exactOptional().describe('its id, such as `AGT-001`; given in order by default'),
	subtask: words.describe('what this agent is to do, in a few words: what to change, and where'),
	goal: words.exactOptional().describe('what done means for this agent'),
	scope: z
		.strictObject({
			allowed: globs.describe('globs of what it may write, from the top of the repository'),
			forbidden: globs.describe('globs that it may never write, even where `allowed` matches'),
		})
		.default({allowed: [], forbidden: []})
		.describe('where this agent may write; without `allowed` it can only read'),
	agent: z
		.union([words, agentProfile], {error: 'must be the name of a profile, or a map with a command'})
		.exactOptional()
		.describe('the agent: the name of a profile, or how it is started'),
	best_of: z
		.array(words)
		.min(2)
		.max(3)
		.exactOptional()
		.describe(
			'two or three profiles instead of `agent`: each does all of it, and you take the best',
		),
	behavior: repositoryPath.exactOptional().describe('a file that says how to work'),
	inputs: listOf(repositoryPath).describe('files that this agent reads first'),
	metrics: listOf(words).describe('what its result is measured by, so that it can be checked'),
	after: listOf(agentId).describe('ids of the agents whose results this one waits for'),
	timeout: agentTimeout.exactOptional().describe('how long it may work before you are asked'),
	thinking: z
		.enum(['standard', 'think', 'think-hard'])
		.default('standard')
		.describe('its thinking effort'),
	supervision: supervision
		.exactOptional()
		.describe('what waits for you, where that differs from the plan’s'),
	resume: resumeWhen
		.exactOptional()
		.describe('when it goes on after work that it waits for, where that differs from the plan’s'),
	tokens: z
		.int()
		.min(1)
		.exactOptional()
		.describe('how many tokens it may use before you are asked'),
	budget: budget
		.exactOptional()
		.describe('what it may spend before you are asked: US dollars such as $5, or tokens'),
	limits: z
		.strictObject(loadLimits)
		.exactOptional()
		.describe(
			'what its processes may use before you are asked, where that differs from the config',
		),
	output: repositoryPath.exactOptional().describe('the file or folder in which its result belongs'),
	mode: words
		.exactOptional()
		.describe(
			'the mode that it works in, by the agent’s own name; one in which it asks before it acts',
		),
	mcp_servers: z
		.array(mcpServer)
		.max(20)
		.exactOptional()
		.describe('MCP servers that it gets besides delegate-tui’s own'),
	from: words
		.exactOptional()
		.describe(
			'the id of a conversation that you began with this agent: it is told what was said there',
		),
	uncommitted: z
		.literal(true)
		.exactOptional()
		.describe('its worktree begins with the uncommitted changes of your checkout'),
	checkout: folders
		.exactOptional()
		.describe('folders that its worktree checks out, where that differs from the plan’s'),
	images: z
		.array(imagePath)
		.max(20)
		.exactOptional()
		.describe('pictures in the repository that it is shown with its task'),
	expect: listOf(signalName).describe('signals, one line each, that it should give'),
});

/** A plan file: the source of its validation, its types and its JSON schema. */
export const planFileSchema = z.strictObject({
	version: z.literal(1).describe('the version of this format'),
	task: words.describe('the purpose of the whole session; every agent is told'),
	context: words
		.exactOptional()
		.describe('what every agent should know of the repository before it begins'),
	success: listOf(words).describe('what holds when the task is done, so that it can be checked'),
	target: words
		.exactOptional()
		.describe('the branch that the result is merged into; the current one by default'),
	setup: listOf(words).describe('commands, run in each worktree before its agent starts'),
	env: variables
		.exactOptional()
		.describe('environment variables of everything that runs in a worktree; not for secrets'),
	copy: listOf(
		z.union([repositoryPath, z.strictObject({from: repositoryPath, set: variables})], {
			error: 'must be a path, or a map with `from` and `set`',
		}),
	).describe(
		'ignored files that each worktree gets a copy of; `set` changes lines NAME=value in it',
	),
	checkout: folders
		.exactOptional()
		.describe(
			'folders that worktrees check out, with the files beside and above them; all by default',
		),
	merge: z
		.enum(['squash', 'per-agent'])
		.exactOptional()
		.describe(
			'how work is merged: `squash` into one commit, or `per-agent`, one for each; as the config says by default',
		),
	verify: listOf(words).describe('commands that check the merged result before it is approved'),
	verify_network: z
		.enum(['own', 'host'])
		.exactOptional()
		.describe('whether checks have a loopback of their own, where the system allows it'),
	verify_needs: z
		.array(z.int().min(1).max(65_535))
		.max(20)
		.exactOptional()
		.describe('ports of programs that you run on this machine, which checks may use'),
	check: z
		.array(words)
		.max(100)
		.exactOptional()
		.describe('commands that tell what breaks together, as `path:line: message`'),
	allow: allowance
		.exactOptional()
		.describe('further paths that everything in a worktree may reach, where files are protected'),
	supervision: supervision
		.exactOptional()
		.describe(
			'what waits for you: `supervised`, `semi-autonomous`, or a map such as `{checkpoint: go}`',
		),
	resume: resumeWhen
		.exactOptional()
		.describe(
			'when an agent goes on after work that it waits for, by `after` or because it handed it on: once you have `accepted` that work, or as soon as it is `completed`',
		),
	conflicts: z
		.strictObject({
			overlap: z
				.enum(['note', 'ask'])
				.describe(
					'what follows when two agents changed one file and git merges it: a `note`, or `ask` you',
				),
		})
		.exactOptional()
		.describe('when you are asked about work that overlaps'),
	budget: budget
		.exactOptional()
		.describe('what all agents together may spend before you are asked: US dollars or tokens'),
	agents: z
		.array(subtaskFileSchema)
		.min(1)
		.max(50)
		.describe('one entry for each agent, in the order in which their work is merged best'),
});

/** A plan file of the right shape; ids and profiles are not resolved yet. */
export type PlanFile = z.output<typeof planFileSchema>;

export type SubtaskEntry = PlanFile['agents'][number];
