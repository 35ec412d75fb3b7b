import {formatDuration} from '../../lib/text/duration.ts';
import {sentenceCase} from '../../lib/text/words.ts';
import {readYaml} from '../../lib/text/yaml-document.ts';
import type {AgentProfile, Extension} from '../../rules/plan/fields.ts';
import {planFileSchema, subtaskFileSchema} from '../../rules/plan/schema.ts';
import type {Desk} from './desk.ts';

/**
Representation of a field's text in a plan file.

`text` as it is, `word` trimmed, `number` as one, `words` as the list that `splitWords` returns, `lines` as the list that `splitCommands` returns, `yaml` as parsed, and `agent` as `agentEntry` returns it.
*/
type FieldKind = 'text' | 'word' | 'number' | 'words' | 'lines' | 'yaml' | 'agent';

type Known = {
	/** Label, the same as in the plan's own view. */
	readonly label: string;
	readonly kind: FieldKind;
	/** Path in the plan, or in an agent's entry. */
	readonly path: readonly [string, ...string[]];
	/** True if few plans need it: it is hidden while it is empty, unless all fields are shown. */
	readonly isRare?: true;
	/** Placeholder of an empty field. */
	readonly empty?: string | ((desk: Desk) => string);
	/** Advice in one line, if the plan file's schema has no better one. */
	readonly advice?: string | ((profiles: readonly string[]) => string);
};

const budget = {
	label: 'Budget',
	kind: 'yaml',
	path: ['budget'],
	isRare: true,
	advice: 'What may be spent before you are asked: dollars such as $5, or a number of tokens.',
} as const satisfies Known;

const supervision = {
	label: 'Supervision',
	kind: 'yaml',
	path: ['supervision'],
	isRare: true,
	advice: 'supervised, semi-autonomous, or {checkpoint: go, review: ask}: what waits for you.',
} as const satisfies Known;

const resume = {
	label: 'Resumes',
	kind: 'word',
	path: ['resume'],
	isRare: true,
	advice:
		'When an agent goes on after handing work on: once you accepted that work, or once it is completed.',
} as const satisfies Known;

const planFields = {
	task: {label: 'Task', kind: 'text', path: ['task']},
	context: {label: 'Context', kind: 'text', path: ['context']},
	success: {label: 'Success', kind: 'lines', path: ['success']},
	verify: {
		label: 'Check',
		kind: 'lines',
		path: ['verify'],
		empty: 'nothing: the merged result will not be tested',
		advice: 'Commands that test the merged result, one a line, such as npm test.',
	},
	target: {
		label: 'Merges into',
		kind: 'word',
		path: ['target'],
		empty: ({branch}: Desk) => branch ?? 'no branch is checked out: name one',
	},
	merge: {
		label: 'Commits',
		kind: 'word',
		path: ['merge'],
		isRare: true,
		empty: 'as the config says',
		advice: 'How it is merged: squash, one commit for all, or per-agent, one for each.',
	},
	check: {label: 'Type check', kind: 'lines', path: ['check'], isRare: true},
	setup: {label: 'Before', kind: 'lines', path: ['setup'], isRare: true},
	copy: {label: 'Copies', kind: 'words', path: ['copy'], isRare: true},
	supervision: {...supervision, empty: 'supervised'},
	resume: {...resume, empty: 'by its supervision'},
	budget,
	overlap: {
		label: 'Overlaps',
		kind: 'word',
		path: ['conflicts', 'overlap'],
		isRare: true,
		empty: 'note',
		advice: 'When two agents changed one file and git merges it: note it, or ask you.',
	},
} as const satisfies Readonly<Record<string, Known>>;

const subtaskFields = {
	subtask: {label: 'Subtask', kind: 'text', path: ['subtask']},
	goal: {label: 'Goal', kind: 'text', path: ['goal']},
	metrics: {label: 'Measured by', kind: 'lines', path: ['metrics']},
	allowed: {
		label: 'May write',
		kind: 'words',
		path: ['scope', 'allowed'],
		empty: 'nothing: it can only read',
		advice: 'Globs with spaces between, such as src/api/** test/api/**; or pick them.',
	},
	forbidden: {
		label: 'Never',
		kind: 'words',
		path: ['scope', 'forbidden'],
		advice: 'Globs that it may never write, even inside its scope.',
	},
	best_of: {
		label: 'Best of',
		kind: 'words',
		path: ['best_of'],
		isRare: true,
		advice: (names: readonly string[]) =>
			`Two or three profiles that all do it: ${names.join(', ')}.`,
	},
	agent: {
		label: 'Agent',
		kind: 'agent',
		path: ['agent'],
		advice: (names: readonly string[]) =>
			names.length === 0
				? 'A command line, such as bash agent.sh, or acp: gemini --acp.'
				: `A profile (${names.join(', ')}), or a command: bash agent.sh, acp: gemini --acp.`,
	},
	inputs: {label: 'Reads', kind: 'words', path: ['inputs'], isRare: true},
	images: {label: 'Images', kind: 'words', path: ['images'], isRare: true},
	after: {label: 'After', kind: 'words', path: ['after'], isRare: true},
	output: {label: 'Output', kind: 'word', path: ['output'], isRare: true},
	timeout: {
		label: 'Time',
		kind: 'word',
		path: ['timeout'],
		isRare: true,
		empty: ({timeoutMs}: Desk) => formatDuration(timeoutMs),
	},
	thinking: {
		label: 'Thinking',
		kind: 'word',
		path: ['thinking'],
		isRare: true,
		empty: 'standard',
		advice: 'Its thinking effort: standard, think or think-hard.',
	},
	from: {label: 'Goes on from', kind: 'word', path: ['from'], isRare: true},
	uncommitted: {
		label: 'Uncommitted',
		kind: 'yaml',
		path: ['uncommitted'],
		isRare: true,
		advice: 'true: its worktree begins with the uncommitted changes of your checkout.',
	},
	checkout: {label: 'Checks out', kind: 'words', path: ['checkout'], isRare: true},
	mode: {label: 'Mode', kind: 'word', path: ['mode'], isRare: true},
	tokens: {label: 'Tokens', kind: 'number', path: ['tokens'], isRare: true},
	own_budget: budget,
	limits: {label: 'Limits', kind: 'yaml', path: ['limits'], isRare: true},
	mcp_servers: {
		label: 'MCP servers',
		kind: 'yaml',
		path: ['mcp_servers'],
		isRare: true,
		advice: 'MCP servers besides delegate-tui’s own: - {name: docs, command: [npx, docs-mcp]}',
	},
	own_supervision: {...supervision, empty: 'as the plan says'},
	own_resume: {...resume, empty: 'as the plan says'},
	behavior: {label: 'Behavior', kind: 'word', path: ['behavior'], isRare: true},
	expect: {label: 'Expects', kind: 'words', path: ['expect'], isRare: true},
} as const satisfies Readonly<Record<string, Known>>;

export type PlanPart = keyof typeof planFields;
export type SubtaskPart = keyof typeof subtaskFields;

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] =>
	Object.keys(record) as Key[];

export const planParts = keysOf(planFields);
export const subtaskParts = keysOf(subtaskFields);

/** A field of the form; `agent` is the index of its subtask. */
export type Field =
	| {readonly part: PlanPart; readonly agent?: undefined}
	| {readonly part: SubtaskPart; readonly agent: number};

export const knownFields: Readonly<Record<PlanPart | SubtaskPart, Known>> = {
	...planFields,
	...subtaskFields,
};

/** Returns the placeholder of a field. */
export const blankText = ({part}: Field, desk: Desk): string => {
	const {empty = ''} = knownFields[part];
	return typeof empty === 'string' ? empty : empty(desk);
};

/** Returns the advice for a field in one line: by default the description in the plan file's schema. */
export const adviceFor = ({part, agent}: Field, {profiles}: Desk): string => {
	const {advice, kind, path} = knownFields[part];
	if (advice !== undefined) {
		return typeof advice === 'string' ? advice : advice(Object.keys(profiles));
	}

	const keys: Readonly<Record<string, {readonly description?: string | undefined}>> =
		agent === undefined ? planFileSchema.shape : subtaskFileSchema.shape;
	const {description = ''} = keys[path[0]] ?? {};
	return `${sentenceCase(description)}${manner[kind]}`;
};

/** Endings of the advice for each kind, about several values. */
const manner = {
	text: '.',
	word: '.',
	number: '.',
	words: ', with spaces between.',
	lines: ', one a line.',
	yaml: ': as in a plan file.',
	agent: '.',
} as const;

export type PartValue = string | number | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Parses a field's text as a value of the plan file; `agentEntry` parses an agent, and an invalid number is kept as text, so that it is reported. */
export const fieldValue = (kind: FieldKind, text: string): PartValue => {
	switch (kind) {
		case 'text':
		case 'agent':
			return text;
		case 'word':
			return text.trim();
		case 'number':
			return /^\s*\d+\s*$/.test(text) ? Number(text) : text;
		case 'words':
			return splitWords(text).map(asEntry);
		case 'lines':
			return splitCommands(text);
		case 'yaml':
			return yamlValue(text);
	}
};

/** Parses an entry; one that is no text is written as JSON. */
const asEntry = (word: string): unknown => {
	try {
		const entry: unknown = word.startsWith('{') ? JSON.parse(word) : word;
		return entry;
	} catch {
		return word;
	}
};

/** Returns the parsed YAML; invalid text is kept as it is, so that the error is shown. */
const yamlValue = (text: string): PartValue => {
	const read = readYaml(text, '');
	return 'document' in read && Array.isArray(read.document.value) ? read.document.value : text;
};

/** Reads commands, one per line; an indented line continues the command above it. */
export const splitCommands = (text: string): readonly string[] => {
	const commands: string[] = [];
	for (const line of text.split('\n')) {
		const last = commands.at(-1);
		if (/^\s/.test(line) && last !== undefined) {
			commands[commands.length - 1] = `${last}\n${line.replace(/^ {1,2}/, '')}`;
		} else if (line.trim() !== '') {
			commands.push(line);
		}
	}

	return commands;
};

/** Writes commands in the form that `splitCommands` reads. */
export const joinCommands = (commands: readonly string[]): string =>
	commands.map(command => command.replaceAll('\n', '\n  ')).join('\n');

/**
Splits a line at spaces outside of quotes: text in `'…'` or `"…"` is literal, and so is a backslash. There is no other shell syntax.

An unclosed quote ends at the end of the line.
*/
export const splitWords = (line: string): readonly string[] =>
	[...line.matchAll(word)].map(([text]) =>
		text.replaceAll(quoted, (_, single?: string, double?: string) => single ?? double ?? ''),
	);

const word = /(?:'[^']*(?:'|$)|"[^"]*(?:"|$)|[^\s'"])+/g;
const quoted = /'([^']*)(?:'|$)|"([^"]*)(?:"|$)/g;

/** Returns whether a line ends inside a quote. */
export const isQuoteOpen = (line: string): boolean =>
	/['"]/.test(line.replaceAll(/'[^']*'|"[^"]*"/g, ''));

/** Writes words in the form that `splitWords` reads. */
export const joinWords = (words: readonly string[]): string => words.map(quote).join(' ');

const quote = (text: string): string => {
	if (text !== '' && !/[\s'"]/.test(text)) {
		return text;
	}

	return text.includes("'")
		? text
				.split(/('+)/)
				.filter(part => part !== '')
				.map(part => (part.startsWith("'") ? `"${part}"` : `'${part}'`))
				.join('')
		: `'${text}'`;
};

/** The agent of a subtask in a plan file: the name of a profile, or a command. */
type AgentEntry = string | Pick<AgentProfile, 'protocol' | 'command'>;

/**
Reads the line that names an agent: a profile, or a command line.

A single word is a profile; text with spaces or a `/` that is no known profile is a command. A prefix `text:` or `acp:` marks a command and its protocol. An empty line returns nothing.
*/
export const agentEntry = (line: string, profiles: readonly string[]): AgentEntry | undefined => {
	const text = line.trim();
	if (text === '' || profiles.includes(text)) {
		return text || undefined;
	}

	const [, protocol, rest] = /^(text|acp):(.*)$/s.exec(text) ?? [];
	if (rest !== undefined) {
		return {protocol: protocol === 'acp' ? 'acp' : 'text', command: [...splitWords(rest)]};
	}

	return /[\s/'"]/.test(text) ? {protocol: 'text', command: [...splitWords(text)]} : text;
};

/** Writes an agent in the form that `agentEntry` reads. */
export const agentText = (
	entry: AgentEntry | Pick<Extension, 'extends'> | undefined,
	profiles: readonly string[],
): string => {
	if (entry === undefined || typeof entry === 'string') {
		return entry ?? '';
	}

	if ('extends' in entry) {
		return entry.extends;
	}

	const line = joinWords(entry.command);
	const read = agentEntry(line, profiles);
	return entry.protocol === 'text' && typeof read === 'object' && read.protocol === 'text'
		? line
		: `${entry.protocol}: ${line}`;
};
