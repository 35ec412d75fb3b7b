import {z} from 'zod';

/** Rules of a person that let an agent act unasked, as their settings name them. */
export type Allowed = readonly string[];

type Settings = Readonly<Record<string, unknown>>;

/** Returns what the settings of Claude Code allow of what a session asks about. */
export const allowedByClaude = (settings: Settings): Allowed => {
	const {permissions} = claudeSettings.parse(settings);
	return [
		...permissions.allow.filter(rule => /^(Bash|Edit|Write|NotebookEdit)(\(|$)/.test(rule)),
		...modes(permissions.defaultMode, ['acceptEdits', 'auto', 'bypassPermissions', 'dontAsk']),
	];
};

/** Returns what the settings of opencode allow of what a session asks about, its agents' own permissions included. */
export const allowedByOpencode = (settings: Settings): Allowed => {
	const {permission, agent} = opencodeSettings.parse(settings);
	return [
		...grants('permission', permission),
		...Object.entries(agent).flatMap(([name, {permission}]) =>
			grants(`agent.${name}.permission`, permission),
		),
	];
};

/** Returns what the settings of Gemini CLI allow of what a session asks about. */
export const allowedByGemini = (settings: Settings): Allowed => {
	const {tools, general} = geminiSettings.parse(settings);
	return [
		...tools.allowed.filter(rule =>
			/^(ShellTool|run_shell_command|write_file|replace|save_memory)(\(|$)/.test(rule),
		),
		...modes(general.defaultApprovalMode, ['auto_edit', 'yolo']),
	];
};

/** Settings that are of another form than was known are told as none. */
const texts = z.array(z.string()).catch([]);
const text = z.string().optional().catch(undefined);
const permissions = z.union([z.string(), z.record(z.string(), z.unknown())]).optional();

const claudeSettings = z.object({
	permissions: z.object({allow: texts, defaultMode: text}).catch({allow: []}),
});

const opencodeSettings = z.object({
	permission: permissions.catch(undefined),
	agent: z
		.record(z.string(), z.object({permission: permissions.catch(undefined)}).catch({}))
		.catch({}),
});

const geminiSettings = z.object({
	tools: z.object({allowed: texts}).catch({allowed: []}),
	general: z.object({defaultApprovalMode: text}).catch({}),
});

const modes = (mode: string | undefined, permissive: readonly string[]): Allowed =>
	mode !== undefined && permissive.includes(mode) ? [`mode ${mode}`] : [];

const asked = ['*', 'edit', 'bash', 'external_directory', 'webfetch', 'websearch', 'task'];

/** One word for all tools, or one for each, or one for each pattern of what a tool is called with. */
const grants = (name: string, permission: z.infer<typeof permissions>): Allowed => {
	if (typeof permission !== 'object') {
		return permission === 'allow' ? [name] : [];
	}

	return Object.entries(permission)
		.filter(([tool, rule]) => asked.includes(tool) && allows(rule))
		.map(([tool]) => `${name}.${tool}`);
};

const allows = (rule: unknown): boolean =>
	rule === 'allow' ||
	(typeof rule === 'object' && rule !== null && Object.values(rule).includes('allow'));
