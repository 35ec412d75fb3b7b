import {readdir, readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join} from 'node:path';
import type {LoginContext} from '../../agents/profiles/profile.ts';
import {firstOf} from '../../lib/text/enumerated.ts';
import {readJsonObject} from '../../lib/text/json-object.ts';
import type {Check, Finding} from './check.ts';
import {
	type Allowed,
	allowedByClaude,
	allowedByGemini,
	allowedByOpencode,
} from './programs/allow-rules.ts';

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

const findingFor = (title: string, path: string, allowed: Allowed): Finding | undefined => {
	if (allowed.length === 0) {
		return undefined;
	}

	return {
		check: 'settings',
		level: 'absent',
		text: `${title}: ${path} allows by itself: ${firstOf(allowed, shown)}; that does not hold for an agent over ACP, which asks all the same`,
	};
};
