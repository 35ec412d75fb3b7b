import {parse} from 'yaml';
import {formatDuration} from '../../../lib/text/duration.ts';
import type {AgentProfile, Extension} from '../../../rules/plan/fields.ts';
import {planSchema, subtaskSchema} from '../../../rules/plan/schema.ts';
import {type Desk, joinWords, splitCommands, splitWords} from '../desk.ts';
import {
	type Field,
	type FieldKind,
	knownFields,
	type PlanPart,
	type SubtaskPart,
} from '../model/field.ts';
import type {PartValue} from './yaml-part.ts';

/** What a field is called, as the plan's own view calls it. */
export const labels: Readonly<Record<Field['part'], string>> = {
	task: 'Task',
	context: 'Context',
	success: 'Success',
	verify: 'Check',
	target: 'Merges into',
	check: 'Type check',
	setup: 'Before',
	copy: 'Copies',
	supervision: 'Supervision',
	resume: 'Resumes',
	subtask: 'Subtask',
	goal: 'Goal',
	metrics: 'Measured by',
	allowed: 'May write',
	forbidden: 'Never',
	best_of: 'Best of',
	agent: 'Agent',
	inputs: 'Reads',
	images: 'Images',
	after: 'After',
	output: 'Output',
	timeout: 'Time',
	thinking: 'Thinking',
	mode: 'Mode',
	tokens: 'Tokens',
	mcp_servers: 'MCP servers',
	own_supervision: 'Supervision',
	own_resume: 'Resumes',
	behavior: 'Behavior',
	expect: 'Expects',
};

/** What stands in a field while nothing is written in it. */
export const placeholder = ({part}: Field, {branch, timeoutMs}: Desk): string => {
	switch (part) {
		case 'target':
			return branch === undefined ? 'no branch is checked out: name one' : branch;
		case 'verify':
			return 'nothing: the merged result will not be tested';
		case 'allowed':
			return 'nothing: it can only read';
		case 'supervision':
			return 'supervised';
		case 'resume':
			return 'by its supervision';
		case 'own_supervision':
		case 'own_resume':
			return 'as the plan says';
		case 'thinking':
			return 'standard';
		case 'timeout':
			return formatDuration(timeoutMs);
		default:
			return '';
	}
};

/** What to write in a field, in one line. */
export const advice = (field: Field, {profiles}: Desk): string => {
	const names = Object.keys(profiles);
	switch (field.part) {
		case 'verify':
			return 'Commands that test the merged result, one a line, such as npm test.';
		case 'allowed':
			return 'Globs with spaces between, such as src/api/** test/api/**; quote a space.';
		case 'forbidden':
			return 'Globs that it may never write, though they lie in what it may.';
		case 'agent':
			return names.length === 0
				? 'A command line, such as bash agent.sh, or acp: gemini --acp.'
				: `A profile (${names.join(', ')}), or a command: bash agent.sh, acp: gemini --acp.`;
		case 'best_of':
			return `Two or three profiles that all do it: ${names.join(', ')}.`;
		case 'thinking':
			return 'How hard it thinks: standard, think or think-hard.';
		case 'mcp_servers':
			return 'Tool servers besides ours: - {name: docs, command: [npx, docs-mcp]}';
		case 'supervision':
		case 'own_supervision':
			return 'Whether checkpoints wait for you (supervised), or not (semi-autonomous).';
		case 'resume':
		case 'own_resume':
			return 'When it goes on with work that it handed on: once accepted by you, or completed.';
		default:
			return `${described(field.part)}${manner[knownFields[field.part].kind]}`;
	}
};

/** How several are written in one field. */
const manner = {
	text: '.',
	word: '.',
	number: '.',
	words: ', with spaces between.',
	lines: ', one a line.',
	yaml: ': as in a plan file.',
	agent: '.',
} as const;

/** What a plan file's schema says of a key, as the beginning of a sentence. */
const described = (
	part: Exclude<PlanPart | SubtaskPart, 'allowed' | 'forbidden' | 'own_supervision' | 'own_resume'>,
): string => {
	const {description = ''} = isPlanPart(part) ? planSchema.shape[part] : subtaskSchema.shape[part];
	return `${description.charAt(0).toUpperCase()}${description.slice(1)}`;
};

const isPlanPart = (part: PlanPart | SubtaskPart): part is PlanPart => part in planSchema.shape;

/** Reads a field's text as what stands in the plan file; an agent's is read by `agentEntry`, and what is no number stays as it is written, so that it is told. */
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
			return splitWords(text);
		case 'lines':
			return splitCommands(text);
		case 'yaml':
			return yamlValue(text);
	}
};

/** What is no YAML yet stays as it is written, so that it is told. */
const yamlValue = (text: string): PartValue => {
	try {
		const value: unknown = parse(text, {stringKeys: true});
		return Array.isArray(value) ? value : text;
	} catch {
		return text;
	}
};

/** Who does a subtask, as a plan file says it: a profile's name, or how to start it. */
export type AgentEntry = string | Pick<AgentProfile, 'protocol' | 'command'>;

/**
Reads the one line that names an agent: a profile, or a command line.

A single word is a profile; what has spaces or a `/` in it, and is no known profile, is a command. `text:` and `acp:` before it say so outright, and how it talks. Nothing is read from an empty line.
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

/** Writes an agent as the line that `agentEntry` reads. */
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
