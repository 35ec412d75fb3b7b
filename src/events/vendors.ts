/** Agents whose ways are known; how their programs are started and kept to their place stands in `agents/profiles/`. */
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
	/** People's name for the login of its model. */
	readonly login: string;
	/** The modes in which it asks before it acts, by its own names; in any other one it could write and run unasked what its scope forbids, so a plan can set no other. */
	readonly askingModes: readonly string[];
	/** How a value with a `$` in the environment of a server of tools reaches that server whole: as it is, as `${NAME}` of a variable that the agent has itself, or with a backslash before each `$`. */
	readonly dollar: 'kept' | 'named' | 'escaped';
	/** Names of its own commands that switch its asking off, widen what it may do without, or hand it to somebody else; a person can't send them from here. */
	readonly looseCommands: readonly string[];
};

export type AgentVendor = keyof typeof vendors;

export const agentVendors = Object.keys(vendors) as readonly AgentVendor[];

/** Those whose JSON stream is read where they run as plain commands. */
export const streamVendors = ['claude', 'codex', 'gemini', 'opencode'] as const;

export type StreamVendor = (typeof streamVendors)[number];
