import {stringify} from 'yaml';
import {defined} from '../lib/values.ts';
import {type Definition, type FieldHelp, type Meaning, noLine} from './definition.ts';
import {type Fields, optional, readFields, schemaOf, type Values} from './fields/fields.ts';
import {text} from './fields/kinds.ts';
import {type Entries, readBody} from './fields/yaml.ts';
import {readToolFields} from './tool.ts';

/** The signal of a block with these fields. `agent` is the claimed `agent_id`, never proof of the sender. */
export type BlockSignal<Kind extends string, F extends Fields> = {
	readonly kind: Kind;
	readonly line: number;
	readonly agent?: string;
	readonly timestamp?: string;
} & Values<F>;

type BlockOptions<Kind extends string, F extends Fields, Means extends Meaning> = {
	readonly kind: Kind;
	readonly marker: string;
	readonly meaning: Means;
	readonly help: string;
	readonly fields: F;
	readonly examples: readonly string[];
	readonly nearMiss: string;
	/** Returns the signal for a person, as one line to follow its agent's name. */
	readonly told: (signal: BlockSignal<Kind, F>) => string;
	/** Tool with the same effect; its help is the signal's, unless it differs. */
	readonly tool?: {readonly name: string; readonly help?: string};
	/** Converts other forms of the fields into the one that `fields` reads. */
	readonly arrange?: (entries: Entries) => Entries;
	/** Adds values from other entries to those of the fields. */
	readonly complete?: (said: Values<F>, entries: Entries) => Values<F>;
};

/** Fields that every block may have; `agent_id` becomes `agent`. */
const HEAD = {
	agent_id: optional(text, 'your id'),
	timestamp: optional(text, 'when you write this'),
} satisfies Fields;

/** Defines a signal of the form `[MARKER]`, YAML fields, `[/MARKER]`. */
export const defineBlock = <
	const Kind extends string,
	F extends Fields,
	const Means extends Meaning,
>({
	fields,
	tool,
	arrange = entries => entries,
	complete = said => said,
	...shared
}: BlockOptions<Kind, F, Means>): Definition<BlockSignal<Kind, F>, Means> => {
	const {kind, marker, help} = shared;
	const every: Fields = {...HEAD, ...fields};
	const readSaid = (entries: Entries): Values<F> =>
		complete(readFields(fields, arrange(entries)), entries);

	return {
		...shared,
		form: {type: 'block', fieldNames: new Set(Object.keys(every))},
		fields: helpOf(every),
		get template() {
			return printBlock(
				marker,
				Object.entries(every).map(([name, {kind, meaning}]) => [name, kind.template(meaning)]),
			);
		},
		read: (body, line) => {
			const entries = readBody(body);
			return {kind, line, ...readHead(entries), ...readSaid(entries)};
		},
		print: ({kind: _kind, line: _line, agent, ...said}) =>
			printBlock(marker, [['agent_id', agent], ...Object.entries(said)]),
		...(tool === undefined
			? {}
			: {
					tool: {
						help,
						...tool,
						schema: schemaOf(fields),
						read: given => {
							const entries = readToolFields(given);
							return {kind, line: noLine, ...readHead(entries), ...readSaid(entries)};
						},
					},
				}),
	};
};

const readHead = (entries: Entries): {readonly agent?: string; readonly timestamp?: string} => {
	const {agent_id: agent, timestamp} = readFields(HEAD, entries);
	return defined({agent, timestamp});
};

/** Returns fields as help shows them. */
export const helpOf = (fields: Fields): readonly FieldHelp[] =>
	Object.entries(fields).map(([name, {kind, presence, meaning}]) => ({
		name,
		type: kind.type,
		presence,
		meaning,
		...(kind.parts === undefined ? {} : {parts: helpOf(kind.parts)}),
	}));

const printBlock = (marker: string, entries: readonly (readonly [string, unknown])[]): string => {
	const said = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
	return `[${marker}]\n${printYaml(said)}[/${marker}]\n`;
};

/** Every text is quoted and on one line, so that nothing in it can be taken for a marker, and control characters, which a transcript may lose, are escaped. */
const printYaml = (value: unknown): string =>
	stringify(value, {
		lineWidth: 0,
		aliasDuplicateObjects: false,
		doubleQuotedAsJSON: true,
		defaultStringType: 'QUOTE_DOUBLE',
		defaultKeyType: 'PLAIN',
	}).replace(/[\x7f-\x9f]/g, character => {
		const code = character.charCodeAt(0).toString(16);
		return `\\u${code.padStart(4, '0')}`;
	});

/** Returns the meaning of a field, with those of its parts below it. */
export const fieldText = ({name, type, presence, meaning, parts = []}: FieldHelp): string =>
	[
		`- ${name} (${type}${presence === 'required' ? ', required' : ''}): ${meaning}`,
		...parts.map(part => `  ${fieldText(part)}`),
	].join('\n');
