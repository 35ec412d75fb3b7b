/**
How the text of a field stands in a plan file.

`text` as it is, `word` without the spaces around it, `number` as one, `words` as the list that `splitWords` reads, `lines` as the list that `splitCommands` reads, `yaml` as a plan file has it, and an `agent` as `agentEntry` reads it.
*/
export type FieldKind = 'text' | 'word' | 'number' | 'words' | 'lines' | 'yaml' | 'agent';

type Known = {
	readonly kind: FieldKind;
	/** Where it stands in the plan, or in an agent's entry. */
	readonly path: readonly [string, ...string[]];
	/** Few plans need it, so it is hidden while nothing is written in it, unless all fields are wanted. */
	readonly isRare?: true;
};

/** The parts of a plan as a whole, in their order in the form. */
export const planParts = [
	'task',
	'context',
	'success',
	'verify',
	'target',
	'check',
	'setup',
	'copy',
	'supervision',
	'resume',
] as const;

/** Those of an agent's part. */
export const subtaskParts = [
	'subtask',
	'goal',
	'metrics',
	'allowed',
	'forbidden',
	'best_of',
	'agent',
	'inputs',
	'images',
	'after',
	'output',
	'timeout',
	'thinking',
	'mode',
	'tokens',
	'mcp_servers',
	'own_supervision',
	'own_resume',
	'behavior',
	'expect',
] as const;

export type PlanPart = (typeof planParts)[number];
export type SubtaskPart = (typeof subtaskParts)[number];

/** A field of the form; those of an agent's part say which one's. */
export type Field =
	| {readonly part: PlanPart; readonly agent?: undefined}
	| {readonly part: SubtaskPart; readonly agent: number};

/** What is known of each field. */
export const knownFields: Readonly<Record<PlanPart | SubtaskPart, Known>> = {
	task: {kind: 'text', path: ['task']},
	context: {kind: 'text', path: ['context']},
	success: {kind: 'lines', path: ['success']},
	verify: {kind: 'lines', path: ['verify']},
	target: {kind: 'word', path: ['target']},
	check: {kind: 'lines', path: ['check'], isRare: true},
	setup: {kind: 'lines', path: ['setup'], isRare: true},
	copy: {kind: 'words', path: ['copy'], isRare: true},
	supervision: {kind: 'word', path: ['supervision'], isRare: true},
	resume: {kind: 'word', path: ['resume'], isRare: true},
	subtask: {kind: 'text', path: ['subtask']},
	goal: {kind: 'text', path: ['goal']},
	metrics: {kind: 'lines', path: ['metrics']},
	allowed: {kind: 'words', path: ['scope', 'allowed']},
	forbidden: {kind: 'words', path: ['scope', 'forbidden']},
	best_of: {kind: 'words', path: ['best_of'], isRare: true},
	agent: {kind: 'agent', path: ['agent']},
	inputs: {kind: 'words', path: ['inputs'], isRare: true},
	images: {kind: 'words', path: ['images'], isRare: true},
	after: {kind: 'words', path: ['after'], isRare: true},
	output: {kind: 'word', path: ['output'], isRare: true},
	timeout: {kind: 'word', path: ['timeout'], isRare: true},
	thinking: {kind: 'word', path: ['thinking'], isRare: true},
	mode: {kind: 'word', path: ['mode'], isRare: true},
	tokens: {kind: 'number', path: ['tokens'], isRare: true},
	mcp_servers: {kind: 'yaml', path: ['mcp_servers'], isRare: true},
	own_supervision: {kind: 'word', path: ['supervision'], isRare: true},
	own_resume: {kind: 'word', path: ['resume'], isRare: true},
	behavior: {kind: 'word', path: ['behavior'], isRare: true},
	expect: {kind: 'words', path: ['expect'], isRare: true},
};
