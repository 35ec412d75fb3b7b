/** Agents with a profile; `agents/profiles/` describes how their programs are started and confined. */
export const vendors = {
	claude: {
		login: 'Claude',
		askingModes: ['default'],
		dollar: 'named',
		looseCommands: [
			...['auto-mode-setup', 'config', 'doctor', 'fewer-permission-prompts', 'permissions'],
			...['remote-control', 'update-config'],
		],
	},
	codex: {
		login: 'Codex',
		askingModes: ['read-only', 'workspace-write'],
		dollar: 'kept',
		looseCommands: ['approvals', 'permissions'],
	},
	gemini: {login: 'Gemini', askingModes: ['default', 'plan'], dollar: 'escaped', looseCommands: []},
	opencode: {login: 'opencode', askingModes: ['build', 'plan'], dollar: 'kept', looseCommands: []},
	qwen: {
		login: 'Qwen',
		askingModes: ['default', 'plan'],
		dollar: 'kept',
		looseCommands: ['approval-mode', 'config', 'directory', 'hooks', 'permissions', 'trust'],
	},
	copilot: {
		login: 'Copilot',
		askingModes: ['agent', 'plan'].map(
			mode => `https://agentclientprotocol.com/protocol/session-modes#${mode}`,
		),
		dollar: 'kept',
		looseCommands: [
			...['add-dir', 'allow-all', 'autopilot', 'config', 'cwd', 'permissions', 'remote'],
			...['sandbox', 'yolo'],
		],
	},
} satisfies Readonly<Record<string, Vendor>>;

type Vendor = {
	/** Name of the login to its model, for people. */
	readonly login: string;
	/** Names of the modes in which it asks before it acts; in any other it could write and run things that its scope forbids, so a plan can't set another. */
	readonly askingModes: readonly string[];
	/** How to pass a value with a `$` in the environment of a tool server: unchanged, as `${NAME}` of a variable of the agent, or with a backslash before each `$`. */
	readonly dollar: 'kept' | 'named' | 'escaped';
	/** Names of its commands that turn permission requests off, widen its permissions, or hand it to another client; a person can't send them from here. */
	readonly looseCommands: readonly string[];
};

export type AgentVendor = keyof typeof vendors;

export const agentVendors = Object.keys(vendors) as readonly AgentVendor[];

/** Vendors whose JSON stream is parsed when they run as plain commands. */
export const streamVendors = ['claude', 'codex', 'gemini', 'opencode'] as const;

export type StreamVendor = (typeof streamVendors)[number];
