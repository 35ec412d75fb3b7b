/** What the person of a recording does about one item; each is done once, in this order. */
export type Decision = {
	readonly kind: string;
	/** The agent that the item is about, where it is about one. */
	readonly agent?: string;
	/** Files that the person commits on the target first. */
	readonly commits?: Readonly<Record<string, string>>;
	/** What the person writes into the resolution folder first. */
	readonly resolves?: Readonly<Record<string, string>>;
	/** The choice, or `stop` for the whole session. */
	readonly choice: string;
	readonly note?: string;
};

/** A session to record: a repository, a plan whose agents are shell scripts in it, and a person. */
export type Recording = {
	readonly name: string;
	readonly files: Readonly<Record<string, string>>;
	/** The plan file, as people write it. */
	readonly plan: string;
	/** How long after one agent the next one starts; long enough for each to have done what it does, where it isn't said. */
	readonly stagger?: string;
	readonly person: readonly Decision[];
};

/** Returns the entry of a plan for an agent that is a script of the same name. */
export const agentEntry = (name: string, ...more: readonly string[]): string =>
	[
		`  - subtask: Write the ${name} part of the limiter`,
		'    scope: {allowed: ["src/**"]}',
		`    agent: {protocol: text, command: [bash, agents/${name}.sh]}`,
		...more.map(line => `    ${line}`),
	].join('\n');

/** What agents say, as shell commands. */
export const says = {
	done: `echo '[COMPLETION_REPORT]'; echo 'status: success'; echo '[/COMPLETION_REPORT]'`,
	partial: `echo '[COMPLETION_REPORT]'; echo 'status: partial'; echo '[/COMPLETION_REPORT]'`,
	question: `echo '[CLARIFICATION_NEEDED]'; echo 'questions: [{id: port, question: "Which port?"}]'; echo '[/CLARIFICATION_NEEDED]'`,
	blocker: `echo '[STOP_WORK]'; echo 'details: the clock is missing'; echo '[/STOP_WORK]'`,
	scope: `echo '[SCOPE_REQUEST]'; echo 'paths: [docs/limits.md]'; echo '[/SCOPE_REQUEST]'`,
	checkpoint: `printf '%s\\n' ---------- 'AGENT CHECKPOINT: me' ---------- 'Status: IN_PROGRESS' 'Progress: 50%' ----------`,
	delegation: `echo '[DELEGATE_WORK]'; echo 'new_task_description: Write the clock'; echo 'independence: blocks_current_work'; echo '[/DELEGATE_WORK]'`,
} as const;
