import type {Definition, Meaning, Said} from './definition.ts';
import {isPlaceholder, OnlyExample, placeholder, Unreadable} from './fields/unreadable.ts';

/** What a signal of one line says when its value is a text. */
export type ValueSignal<Kind extends string> = {
	readonly kind: Kind;
	readonly line: number;
	readonly value: string;
};

type LineOptions<Signal extends Said> = {
	readonly kind: Signal['kind'];
	readonly marker: string;
	readonly meaning: Meaning;
	readonly help: string;
	/** The value's form with its parts named: `Phase - Status`; each part is a field. */
	readonly value: string;
	readonly fields: Readonly<Record<string, string>>;
	/** Labels of lines that may stand directly below, each with the field it gives. */
	readonly followers?: Readonly<Record<string, string>>;
	/** What those lines begin with when we write them. */
	readonly bullet?: '- ';
	readonly examples: readonly string[];
	readonly nearMiss: string;
	readonly read: (said: LineText, line: number) => Signal;
	readonly print: (signal: Signal) => LineText;
};

/** The value of a line signal, and of the labelled lines below it. */
export type LineText = {readonly value: string; readonly below: ReadonlyMap<string, string>};

/** Defines a signal that is written as `MARKER: value`, with labelled lines below it or none. */
export const defineLine = <Signal extends Said>(
	options: LineOptions<Signal>,
): Definition<Signal> => {
	const {
		kind,
		marker,
		help,
		value,
		fields,
		followers = {},
		bullet = '',
		examples,
		nearMiss,
	} = options;
	const labels = Object.keys(followers);
	return {
		kind,
		marker,
		form: {type: 'line', followers: new Set(labels)},
		meaning: options.meaning,
		help,
		fields: Object.entries(fields).map(([name, meaning]) => ({
			name,
			type: 'text',
			presence: Object.values(followers).includes(name) ? 'optional' : 'required',
			meaning,
		})),
		examples,
		nearMiss,
		template: printLine(
			{marker, bullet},
			{
				value,
				below: new Map(
					labels.map(label => [label, placeholder(fields[followers[label] ?? ''] ?? label)]),
				),
			},
		),
		read: (text, line) => options.read(readLine(marker, text), line),
		print: signal => printLine({marker, bullet}, options.print(signal)),
	};
};

/** Defines a line signal whose value is any text; it informs. */
export const defineValueLine = <const Kind extends string>(
	options: Pick<LineOptions<ValueSignal<Kind>>, 'marker' | 'help' | 'examples' | 'nearMiss'> & {
		readonly kind: Kind;
		/** What the value is. */
		readonly value: string;
	},
): Definition<ValueSignal<Kind>> =>
	defineLine<ValueSignal<Kind>>({
		...options,
		meaning: {kind: 'informs'},
		value: placeholder(options.value),
		fields: {value: options.value},
		read: ({value}, line) => ({kind: options.kind, line, value}),
		print: ({value}) => ({value, below: new Map()}),
	});

const readLine = (marker: string, text: string): LineText => {
	const [value = '', ...others] = text.split('\n');
	if (value === '') {
		throw new Unreadable(`${marker} has no value.`);
	}

	if (isPlaceholder(value)) {
		throw new OnlyExample(`${marker} is not filled in.`);
	}

	return {value, below: new Map(others.map(other => splitLabel(other)))};
};

const splitLabel = (text: string): readonly [string, string] => {
	const at = text.indexOf(':');
	return [text.slice(0, at), text.slice(at + 1).trim()];
};

const printLine = (
	{marker, bullet}: {readonly marker: string; readonly bullet: string},
	{value, below}: LineText,
): string => {
	const lines = [...below].map(([label, words]) => `${bullet}${label}: ${words}\n`);
	return `${marker}: ${value}\n${lines.join('')}`;
};
