/** A decision of a recording's person on one item; each is made once, in this order. */
export type Decision = {
	readonly kind: string;
	/** Agent of the item, if it has one. */
	readonly agent?: string;
	/** Files that the person first commits on the target. */
	readonly commits?: Readonly<Record<string, string>>;
	/** Files that the person first writes into the resolution folder. */
	readonly resolves?: Readonly<Record<string, string>>;
	/** The choice, or `stop` for the whole session. */
	readonly choice: string;
	readonly note?: string;
};

/** A session to record: a repository, a plan whose agents are shell scripts in it, and a person. */
export type Recording = {
	readonly name: string;
	readonly files: Readonly<Record<string, string>>;
	/** Plan file, as people write it. */
	readonly plan: string;
	/** Time between the starts of two agents; by default long enough for each to finish its work. */
	readonly stagger?: string;
	readonly person: readonly Decision[];
};

/** Returns a plan's entry for an agent that is a script of the same name. */
export const agentEntry = (name: string, ...more: readonly string[]): string =>
	[
		`  - subtask: Write the ${name} part of the limiter`,
		'    scope: {allowed: ["src/**"]}',
		`    agent: {protocol: text, command: [bash, agents/${name}.sh]}`,
		...more.map(line => `    ${line}`),
	].join('\n');

/** Signals of agents, as shell commands. */
export const says = {
	done: `echo '[COMPLETION_REPORT]'; echo 'status: success'; echo '[/COMPLETION_REPORT]'`,
	partial: `echo '[COMPLETION_REPORT]'; echo 'status: partial'; echo '[/COMPLETION_REPORT]'`,
	question: `echo '[CLARIFICATION_NEEDED]'; echo 'questions: [{id: port, question: "Which port?"}]'; echo '[/CLARIFICATION_NEEDED]'`,
	blocker: `echo '[STOP_WORK]'; echo 'details: the clock is missing'; echo '[/STOP_WORK]'`,
	scope: `echo '[SCOPE_REQUEST]'; echo 'paths: [docs/limits.md]'; echo '[/SCOPE_REQUEST]'`,
	checkpoint: `printf '%s\\n' ---------- 'AGENT CHECKPOINT: me' ---------- 'Status: IN_PROGRESS' 'Progress: 50%' ----------`,
	delegation: `echo '[DELEGATE_WORK]'; echo 'new_task_description: Write the clock'; echo 'independence: blocks_current_work'; echo '[/DELEGATE_WORK]'`,
} as const;
