/**
How the supervisor talks to an agent: a program, and the protocol that it speaks on its input and output.

- `text`: it reads its prompt and prints what it has to say. With `reply: 'stdin'` its input stays open and replies are written to it; without, it is started again for each reply.
- `text` with `stream`: what it prints is the JSON stream of that vendor's program, in which its words are found.
- `acp`: it is asked over the Agent Client Protocol, and asks itself before it writes or runs something. With `vendor` it is that vendor's program, whose ways are known.
*/
export type AgentCommand =
	| (Options & {
			readonly protocol: 'text';
			readonly command: readonly string[];
			readonly reply?: 'stdin';
			readonly stream?: AgentVendor;
	  })
	| (Options & {
			readonly protocol: 'acp';
			readonly command: readonly string[];
			readonly vendor?: AgentVendor;
	  });

/** What a person wants of an agent whose vendor is known. */
type Options = {
	/** The model it is to use, in the agent's own words. */
	readonly model?: string;
	/** `project`: the agent may load the settings that the project keeps for it, which can run programs unasked. */
	readonly trust?: 'project';
};

/** Agents whose ways are known; how their programs are started and kept to their place stands in `agents/profiles/`. */
export const vendors = {
	claude: {login: 'Claude', askingModes: ['default']},
	codex: {login: 'Codex', askingModes: ['read-only', 'workspace-write']},
	gemini: {login: 'Gemini', askingModes: ['default', 'plan']},
	opencode: {login: 'opencode', askingModes: ['build', 'plan']},
} satisfies Readonly<Record<string, Vendor>>;

type Vendor = {
	/** What people call the login that its model is asked with. */
	readonly login: string;
	/** The modes in which it asks before it acts, by its own names; in any other one it could write and run unasked what its scope forbids, so a plan can set no other. */
	readonly askingModes: readonly string[];
};

export type AgentVendor = keyof typeof vendors;

export const agentVendors = Object.keys(vendors) as readonly AgentVendor[];

/** Globs that say where an agent may write; no `allowed` glob makes it read-only. */
export type Scope = {
	readonly allowed: readonly string[];
	readonly forbidden: readonly string[];
};

/** What a plan may say of what happens, by its kind: the person is asked, it goes on, or it is refused. */
export const supervisionChoices = {
	checkpoint: ['ask', 'go'],
	review: ['ask', 'go'],
	delegation: ['ask', 'stop'],
	scope: ['ask', 'stop'],
	permission: ['ask', 'stop'],
} as const;

/** What is said of some kinds; `rules/effects/policy.ts` tells what is done about all of them. */
export type SupervisionPolicy = {
	readonly [Kind in keyof typeof supervisionChoices]?: (typeof supervisionChoices)[Kind][number];
};

/** Names of policies. */
export const supervisionLevels = {
	supervised: {checkpoint: 'ask', review: 'ask'},
	'semi-autonomous': {checkpoint: 'go', review: 'go'},
} as const satisfies Readonly<Record<string, SupervisionPolicy>>;

/** How much a person is asked. */
export type Supervision = keyof typeof supervisionLevels | SupervisionPolicy;

/** Returns what a plan says, whether by a name or of each kind. */
export const policyIn = (supervision: Supervision = {}): SupervisionPolicy =>
	typeof supervision === 'string' ? supervisionLevels[supervision] : supervision;

/** Returns a policy by its name, where it has one. */
export const namedPolicy = (policy: SupervisionPolicy): Supervision => {
	const said = Object.entries(policy).filter(
		([kind, answer]) => kind in levelKinds || answer !== 'ask',
	);
	const {checkpoint = 'ask', review = 'ask'} = policy;
	const isNamed = checkpoint === review && said.every(([kind]) => kind in levelKinds);
	return isNamed ? (review === 'go' ? 'semi-autonomous' : 'supervised') : policy;
};

const levelKinds = supervisionLevels.supervised;

/** When an agent goes on that waits for others' work, by `after` or because it handed some on: once a person has accepted that, or as soon as it is complete. */
export type ResumeWhen = 'accepted' | 'completed';

/** One agent's part of a plan, with every default filled in. */
export type Subtask = {
	readonly id: string;
	readonly subtask: string;
	readonly goal?: string;
	readonly scope: Scope;
	readonly agent: AgentCommand;
	/** Name of the profile in the config that `agent` came from. */
	readonly profile?: string;
	/** Absent in journals from before it was kept. */
	readonly origin?: ProgramOrigin;
	readonly behavior?: string;
	readonly inputs: readonly string[];
	readonly metrics: readonly string[];
	readonly after: readonly string[];
	/** Id of the first of the rivals that are given this subtask, each alone, so that a person takes the best of their works; it has its own id there. */
	readonly bestOf?: string;
	/** How long it may work, in milliseconds. */
	readonly timeoutMs: number;
	readonly thinking: 'standard' | 'think' | 'think-hard';
	/** How it is supervised, where that is otherwise than the plan says for all. */
	readonly supervision?: Supervision;
	/** Where it is otherwise than the plan says for all. */
	readonly resume?: ResumeWhen;
	readonly tokens?: number;
	readonly output?: string;
	readonly expect: readonly string[];
	/** The mode that it works in, by its own name for it; the one in which it asks before it acts where it is absent. */
	readonly mode?: string;
	/** Servers of tools that it is handed besides ours. */
	readonly mcpServers?: readonly McpServer[];
	/** Pictures that it is shown with its task, by their paths in the repository. */
	readonly images?: readonly string[];
};

/** What serves tools to an agent over the Model Context Protocol: a program, or a server on the network. Values of variables are in no plan, since plans are journaled. */
export type McpServer =
	| {
			readonly name: string;
			readonly command: readonly string[];
			/** Names of variables that it gets from the environment of the agent. */
			readonly env: readonly string[];
	  }
	| {
			readonly name: string;
			readonly type: 'http' | 'sse';
			readonly url: string;
			/** For each header the name of the variable in the environment of the agent that holds it. */
			readonly headers: Readonly<Record<string, string>>;
	  };

/** Who says how a program is started, and which variables its environment is given besides; their values are in no plan. */
export type ProgramOrigin = {
	readonly by: (typeof programAuthors)[number];
	readonly variables: readonly string[];
	/** Those whose values the person's own config holds: it may be secret, and is shown to nobody. Where it is absent, that is all of them in a program by that config, and else none. */
	readonly yours?: readonly string[];
};

/** Values of variables by agent, which are in no event. */
export type Environments = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The program itself, the person's config, the config of their repository, or the plan. */
export const programAuthors = ['built in', 'your config', 'this repository', 'the plan'] as const;

/** A program that works, the name of its profile in the config, and who says how it is started. */
export type Program = Pick<Subtask, 'agent' | 'profile' | 'origin'>;

/** A program that the config names. */
export type NamedProgram = Program & Required<Pick<Program, 'profile'>>;

/** A file or folder that each worktree gets a copy of, and variables that are set in the copy of a file. */
export type CopyEntry =
	| string
	| {readonly from: string; readonly set: Readonly<Record<string, string>>};

/** Paths that agents and commands may reach, absolute or from `~/` on, and machines. */
export type Allowance = {
	readonly read?: readonly string[];
	readonly write?: readonly string[];
	readonly sockets?: readonly string[];
	/** Names of machines, where the network is not open to all; `*.example.org` is all below that. */
	readonly hosts?: readonly string[];
};

/** A plan as a session runs it; `DESIGN §5, Plan file`. */
export type Plan = {
	readonly task: string;
	readonly context?: string;
	readonly success: readonly string[];
	/** Branch that the result is merged into; absent means the current branch. */
	readonly target?: string;
	readonly setup: readonly string[];
	/** Variables of everything that runs in a worktree; they are journaled. */
	readonly env?: Readonly<Record<string, string>>;
	readonly copy: readonly CopyEntry[];
	readonly verify: readonly string[];
	/** `host`: checks use this machine's network; one of their own, where that can be, where it is absent. */
	readonly verifyNetwork?: 'own' | 'host';
	/** Ports of programs that the person runs, which checks may use. */
	readonly verifyNeeds?: readonly number[];
	/** Commands that tell what is wrong with a tree as `path:line: message`: type checks and builds. Absent where there are none. */
	readonly check?: readonly string[];
	/** What agents and commands reach besides what everything needs, where files are protected. */
	readonly allow?: Allowance;
	readonly supervision: Supervision;
	/** By the level of supervision where it is absent. */
	readonly resume?: ResumeWhen;
	/** `ask`: a person decides on each file that two agents changed, also where git merges it; a note where it is absent. */
	readonly conflicts?: {readonly overlap: 'note' | 'ask'};
	readonly agents: readonly Subtask[];
};

/** When a person wants to be called away from what they do. */
export type NotifyPreferences = {
	/** What for, by kinds of items and `ended`; for everything where it is absent. */
	readonly kinds?: readonly string[];
	/** Only what is urgent calls between these, in minutes after midnight of the person's clock; it may go on behind midnight. */
	readonly quiet?: {readonly from: number; readonly to: number};
};

/** How the supervisor calls, which has no terminal. */
export type NotifySettings = NotifyPreferences & {readonly desktop: boolean};
