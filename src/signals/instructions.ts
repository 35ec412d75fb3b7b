import {printTable} from '../lib/text/markdown-table.ts';
import {fieldText} from './block.ts';
import type {Definition, FieldHelp, SignalForm} from './definition.ts';
import {signals} from './index.ts';
import {expectedSignals} from './line-signal.ts';

/**
Returns the instructions about signals for an agent: each signal, its fields, and its form. `expect` names line signals of this task.

Forms have blanks `‹…›` for values, so an agent that echoes all of this sends no signal.
*/
export const instructions = (
	expect: readonly string[] = [],
	definitions: readonly Definition[] = signals,
): string =>
	[
		INTRODUCTION,
		...[...definitions, ...expectedSignals(definitions, expect)].map(instructionOf),
	].join('\n');

const INTRODUCTION = `# How to be heard

Write a signal as plain text, at the start of a line, outside of code fences and of <thinking>. In a
bracketed block the fields are YAML: one per line, quote a value that starts with a mark such as # or *, at most 16 KiB.
Blanks such as ‹this› stand for your own words; leave out fields you don’t need. What can’t be read
comes back to you with the reason.
`;

const instructionOf = ({marker, help, fields, template}: Definition): string => {
	const meanings = fields.map(field => `${fieldText(field)}\n`).join('');
	return `## Signal ${marker}\n\n${help}\n\n${meanings}${meanings === '' ? '' : '\n'}${template}`;
};

/** Returns the instructions about tools that go beyond their own descriptions. */
export const toolInstructions = (definitions: readonly Definition[] = signals): string =>
	[
		'# How to be heard by tools',
		`You are handed tools that say signals: ${names(definitions)}. Where you have them, call them instead of writing signals; what can be answered at once is answered in the call. When a tool tells you to end your turn, end it. What you say both ways, in the same words and the same turn, counts once.`,
	].join('\n\n');

/** Sentence about how an agent starts the server of our tools itself. */
export const whereToolsAre =
	'If you can use servers of the Model Context Protocol: the file that DELEGATE_MCP_CONFIG names in your environment has one, whose tools say the same and answer in the call.';

/** Returns the signals that an agent with tools needs as text: those without a tool, and those with which it can ask and finish if its tools are missing. */
export const besideTools = (definitions: readonly Definition[] = signals): readonly Definition[] =>
	definitions.filter(
		({tool}) => tool === undefined || tool.name === 'ask' || tool.name === 'complete',
	);

/** Returns a short reminder of the tools; it is part of the tools themselves, so it survives when an agent's context is compacted. */
export const toolReminder = (definitions: readonly Definition[] = signals): string =>
	`You are one of several agents under a supervisor, which gave you your subtask and your scope in your first prompt. You speak to it by these tools (${names(definitions)}), not to a person: ask instead of guessing, say where you stand at milestones, and end your work with complete, else it does not count as done. Should they be missing, write a block [CLARIFICATION_NEEDED] or [COMPLETION_REPORT] instead.`;

const names = (definitions: readonly Definition[]): string =>
	definitions.flatMap(({tool}) => tool?.name ?? []).join(', ');

/** Returns all signals as a Markdown table, for the documentation. */
export const signalsTable = (definitions: readonly Definition[] = signals): string =>
	printTable([['signal', 'what it is for', 'fields'], ...definitions.map(rowOf)]).trimEnd();

const rowOf = ({marker, form, help, fields}: Definition): readonly string[] => [
	written[form.type](marker),
	help,
	fields.map(fieldName).join(', '),
];

const written: Readonly<Record<SignalForm['type'], (marker: string) => string>> = {
	block: marker => `\`[${marker}]\``,
	line: marker => `\`${marker}: …\``,
	word: marker => `\`${marker}\``,
	banner: marker => `\`${marker}: …\` between rules`,
	object: () => 'a JSON object',
	table: () => 'a table',
};

const fieldName = ({name, presence}: FieldHelp): string =>
	presence === 'required' ? `**${name}**` : name;
