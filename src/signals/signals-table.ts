import {printTable} from '../lib/text/markdown-table.ts';
import type {Definition, FieldHelp, Form} from './definition.ts';
import {signals} from './index.ts';

/** Returns all that agents can say as a table in Markdown, for the documentation. */
export const signalsTable = (definitions: readonly Definition[] = signals): string =>
	printTable([['signal', 'what it is for', 'fields'], ...definitions.map(rowOf)]).trimEnd();

const rowOf = ({marker, form, help, fields}: Definition): readonly string[] => [
	written[form.type](marker),
	help,
	fields.map(fieldName).join(', '),
];

const written: Readonly<Record<Form['type'], (marker: string) => string>> = {
	block: marker => `\`[${marker}]\``,
	line: marker => `\`${marker}: …\``,
	word: marker => `\`${marker}\``,
	banner: marker => `\`${marker}: …\` between rules`,
	object: () => 'a JSON object',
	table: () => 'a table',
};

const fieldName = ({name, presence}: FieldHelp): string =>
	presence === 'required' ? `**${name}**` : name;
