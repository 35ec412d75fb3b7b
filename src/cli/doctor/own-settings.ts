import {readdir, readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {z} from 'zod';
import type {LoginContext} from '../../agents/profiles/profile.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {firstOf} from '../../lib/text/words.ts';
import type {Check, DoctorFinding} from './config.ts';

/** What do the person's own settings of agents allow that a session asks about all the same? */
export const checkOwnSettings: Check = async ({environment}) => {
	const context = {home: environment.HOME || homedir(), environment};
	const files = settingsFiles(context).map(async ({path, title, allowed}) =>
		findingFor(title, path, allowed(await settingsIn(path))),
	);
	const folders = rulesFolders(context).map(async ({path, title}) =>
		findingFor(title, path, await namesIn(path)),
	);
	const findings = await Promise.all([...files, ...folders]);
	return findings.filter(finding => finding !== undefined);
};

const settingsFiles = (context: LoginContext) => {
	const {home, environment} = context;
	const claude = environment.CLAUDE_CONFIG_DIR || join(home, '.claude');
	const opencode = join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
	return [
		...['settings.json', 'settings.local.json'].map(name => ({
			title: 'Claude Code',
			path: join(claude, name),
			allowed: allowedByClaude,
		})),
		...['config.json', 'opencode.json', 'opencode.jsonc'].map(name => ({
			title: 'opencode',
			path: join(opencode, name),
			allowed: allowedByOpencode,
		})),
		{
			title: 'Gemini CLI',
			path: join(geminiHome(context), 'settings.json'),
			allowed: allowedByGemini,
		},
	];
};

/** Each file in these holds rules in a language of the vendor’s own, so they are told by their names. */
const rulesFolders = (context: LoginContext) => [
	{title: 'Gemini CLI', path: join(geminiHome(context), 'policies')},
	{
		title: 'Codex',
		path: join(context.environment.CODEX_HOME || join(context.home, '.codex'), 'rules'),
	},
];

const geminiHome = ({home, environment}: LoginContext): string =>
	join(environment.GEMINI_CLI_HOME || home, '.gemini');

/** What is missing, or is no plain JSON, tells nothing: this is for information only. */
const settingsIn = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
	readJsonObject(await readFile(path, 'utf8').catch(() => '')) ?? {};

const namesIn = async (folder: string): Promise<Allowed> =>
	(await readdir(folder).catch(() => [])).toSorted();

const shown = 5;

const findingFor = (title: string, path: string, allowed: Allowed): DoctorFinding | undefined => {
	if (allowed.length === 0) {
		return undefined;
	}

	return {
		check: 'settings',
		level: 'absent',
		text: `${title}: ${path} allows by itself: ${firstOf(allowed, shown)}; that does not hold for an agent over ACP, which asks all the same`,
	};
};

/** Rules of a person that let an agent act unasked, as their settings name them. */
type Allowed = readonly string[];

type Settings = Readonly<Record<string, unknown>>;

/** Returns what the settings of Claude Code allow of what a session asks about. */
const allowedByClaude = (settings: Settings): Allowed => {
	const {permissions} = claudeSettings.parse(settings);
	return [
		...permissions.allow.filter(rule => /^(Bash|Edit|Write|NotebookEdit)(\(|$)/.test(rule)),
		...modes(permissions.defaultMode, ['acceptEdits', 'auto', 'bypassPermissions', 'dontAsk']),
	];
};

/** Returns what the settings of opencode allow of what a session asks about, its agents' own permissions included. */
const allowedByOpencode = (settings: Settings): Allowed => {
	const {permission, agent} = opencodeSettings.parse(settings);
	return [
		...grants('permission', permission),
		...Object.entries(agent).flatMap(([name, {permission}]) =>
			grants(`agent.${name}.permission`, permission),
		),
	];
};

/** Returns what the settings of Gemini CLI allow of what a session asks about. */
const allowedByGemini = (settings: Settings): Allowed => {
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
