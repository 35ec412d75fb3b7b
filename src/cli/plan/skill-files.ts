import {join} from 'node:path';
import {stringify} from 'yaml';
import {programPath} from '../../lib/process/find-program.ts';

/** A file that teaches a person's own coding agent to use this program, by its path in the repository. */
type SkillFile = {readonly path: string; readonly text: string};

/**
Returns the skill and command files of the agents that read them from a repository: Claude Code's always, those of others if their program is on the `PATH`.

Codex reads no commands from a repository, and opencode reads Claude Code's skills.
*/
export const skillFiles = (path: string | undefined): readonly SkillFile[] => {
	const has = (program: string): boolean => programPath(program, path) !== undefined;
	return [
		skillIn('.claude/skills'),
		...commandsIn('.claude/commands'),
		...(has('codex') || has('gemini') ? [skillIn('.agents/skills')] : []),
		...(has('opencode') ? commandsIn('.opencode/commands') : []),
		...(has('gemini') ? geminiCommands() : []),
	];
};

const frontMatter = (fields: Readonly<Record<string, string>>): string =>
	`---\n${stringify(fields, {lineWidth: 0})}---\n`;

const skillIn = (folder: string): SkillFile => ({
	path: join(folder, 'delegate-tui/SKILL.md'),
	text: `${frontMatter({
		name: 'delegate-tui',
		description:
			'Plan, start and watch a session in which up to three coding agents work at once, each in its own git worktree and scope. Use when the user wants to delegate, parallelize or run a task in the background.',
	})}\n${skill}`,
});

const commandsIn = (folder: string): readonly SkillFile[] =>
	commands.map(({name, description, text}) => ({
		path: join(folder, `${name}.md`),
		text: `${frontMatter({description})}\n${text('$ARGUMENTS')}\n`,
	}));

const geminiCommands = (): readonly SkillFile[] =>
	commands.map(({name, description, text}) => ({
		path: `.gemini/commands/${name}.toml`,
		text: `description = ${JSON.stringify(description)}\nprompt = '''\n${text('{{args}}')}\n'''\n`,
	}));

const commands = [
	{
		name: 'delegate',
		description: 'Plan a session of up to three agents for a task, and start it',
		text: (given: string) => `Task: ${given}

Follow the skill delegate-tui: write a plan for this task, show it to me, and start it once I agree. If a session is active already (\`delegate-tui status\`), say so instead.`,
	},
	{
		name: 'sync',
		description: 'Show where the agents stand, or prepare a merge of accepted work',
		text: (given: string) =>
			`Run \`delegate-tui sync ${given}\` and tell me in a few lines how each agent stands, what waits for me, and the command or key with which I decide it. Decide nothing yourself.`,
	},
	{
		name: 'bg',
		description: 'Hand one task to an agent in the background',
		text: (given: string) => `Task: ${given}

Follow the skill delegate-tui for this one task. If a session is active, add an agent to it (\`delegate-tui add --help\`); otherwise write a plan with one agent and start it. Ask me first for what is missing: the goal, how success is measured, and which files may be written.`,
	},
] as const;

const skill = `# Delegate work to agents in their own worktrees

You plan, start and watch. The person decides: they approve the plan, answer questions, review work and approve each merge. Those commands are refused to you; don’t try them, and don’t ask for a token.

If \`DELEGATE_SESSION\` is set, you are an agent of a session yourself: don’t use this skill, and ask for help with a DELEGATE_WORK signal instead.

## Plan

1. \`delegate-tui status --json\`: one session at a time runs in a repository.
2. Look at the repository and split the task into one to three subtasks whose scopes don’t overlap. Ask the person for a missing goal, measure of success or scope.
3. Write \`plan.yaml\`. \`delegate-tui help plan\` shows every key; each subtask needs \`agent\`, \`subtask\`, \`goal\`, \`metrics\` and \`scope.allowed\`, and the plan \`context\` and \`verify\`, the commands that must pass before a merge.
4. \`delegate-tui help prompt plan.yaml\` checks it and prints what each agent will be told. Fix each error and weigh each warning.

## Start

Run \`delegate-tui run plan.yaml --headless\` in the background. No agent starts yet: tell the person to open \`delegate-tui\` in a terminal of their own and to approve the plan there. Never add \`--yes\`.

\`delegate-tui add --help\` shows how an agent joins a session that runs.

## Watch

- \`delegate-tui status --json\` tells how each agent stands, \`delegate-tui inbox\` what waits for the person, and \`delegate-tui log\` what happened.
- \`delegate-tui diff AGT-001\` shows an agent’s work, \`delegate-tui conflicts\` what collides.
- \`delegate-tui sync AGT-001\` builds and checks that agent’s accepted work; then an approval waits for the person.
- Report in a few lines, and name what waits with its id, such as \`q-1\`.

Never edit files in the agents’ worktrees, and leave the branch they merge into alone while a session runs.
`;
