import type {Definition} from './definition.ts';
import {expectedSignals} from './expected.ts';
import {fieldText} from './field-text.ts';
import {signals} from './index.ts';

/**
Returns what an agent must know to be understood: every signal, what its fields mean, and its form. `expect` names line signals that only this task knows.

Forms carry blanks `‹…›` for values, so an agent that echoes all of this says nothing by it.
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
