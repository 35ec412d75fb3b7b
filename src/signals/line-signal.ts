import type {Definition, Informs, Said} from './definition.ts';
import {isPlaceholder, OnlyExample, placeholder, Unreadable} from './fields/unreadable.ts';

type Named = Pick<Definition, 'marker' | 'help' | 'examples' | 'nearMiss'> & {
	/** Whether the value is prose, which may go on in the lines below. */
	readonly wraps?: boolean;
};

type LineOptions<Signal extends Said> = Named & {
	readonly kind: string;
	/** The value's form with its parts named: `Phase - Status`; each part is a field. */
	readonly value: string;
	readonly fields: Readonly<Record<string, string>>;
	/** Labels of lines that may stand directly below, each with the field it gives. */
	readonly followers?: Readonly<Record<string, string>>;
	/** Prefix of those lines in print. */
	readonly bullet?: string;
	readonly read: (
		value: string,
		line: number,
		/** Returns the text behind a label below; `undefined` where it is absent or empty. */
		below: (label: string) => string | undefined,
	) => Signal;
	readonly print: (signal: Signal) => LineText;
	/** Tells the signal to a person, as one line behind its agent's name. */
	readonly told: (signal: Signal) => string;
};

/** The value of a line signal, and of the labelled lines below it. */
type LineText = {
	readonly value: string;
	readonly below?: Readonly<Record<string, string | number | undefined>>;
};

/** Defines a signal that is written as `MARKER: value`, with labelled lines below it or none; it informs. */
export const defineLine = <Signal extends Said>({
	kind,
	marker,
	help,
	value,
	fields,
	followers = {},
	bullet = '',
	wraps = false,
	examples,
	nearMiss,
	read,
	print,
	told,
}: LineOptions<Signal>): Definition<Signal, Informs> => {
	const written = (said: LineText): string => {
		const lines = Object.entries(said.below ?? {})
			.filter(([, words]) => words !== undefined)
			.map(([label, words]) => `${bullet}${label}: ${words}\n`);
		return `${marker}: ${said.value}\n${lines.join('')}`;
	};

	return {
		kind,
		marker,
		form: {type: 'line', followers: new Set(Object.keys(followers)), wraps},
		meaning: {kind: 'informs'},
		help,
		fields: Object.entries(fields).map(([name, meaning]) => ({
			name,
			type: 'text',
			presence: Object.values(followers).includes(name) ? 'optional' : 'required',
			meaning,
		})),
		examples,
		nearMiss,
		template: written({
			value,
			below: Object.fromEntries(
				Object.entries(followers).map(([label, name]) => [
					label,
					placeholder(fields[name] ?? label),
				]),
			),
		}),
		read: (text, line) => {
			const [value = '', ...others] = text.split('\n');
			if (value === '') {
				throw new Unreadable(`${marker} has no value.`);
			}

			if (isPlaceholder(value)) {
				throw new OnlyExample(`${marker} is not filled in.`);
			}

			const below = new Map(others.map(splitLabel));
			return read(value, line, label => below.get(label) || undefined);
		},
		print: signal => written(print(signal)),
		told,
	};
};

const splitLabel = (text: string): readonly [string, string] => {
	const at = text.indexOf(':');
	return [text.slice(0, at), text.slice(at + 1).trim()];
};

/** Defines a line signal that is one value: any text, unless `read` makes something else of it. */
export const defineValueLine = <
	const Kind extends string,
	Value extends {readonly value: string | number},
>({
	value,
	read,
	told = said => `${options.kind}: ${said.value}`,
	...options
}: Named & {
	readonly kind: Kind;
	/** The meaning of the value. */
	readonly value: string;
	readonly read: (value: string) => Value;
	/** How it is told where that is more than its kind and its value. */
	readonly told?: (said: Value) => string;
}): Definition<{readonly kind: Kind; readonly line: number} & Value, Informs> =>
	defineLine<{readonly kind: Kind; readonly line: number} & Value>({
		...options,
		value: placeholder(value),
		fields: {value},
		read: (said, line) => ({kind: options.kind, line, ...read(said)}),
		print: said => ({value: String(said.value)}),
		told,
	});

/** Takes a value as it is. */
export const asText = (value: string): {readonly value: string} => ({value});

/** A line signal that only one plan knows, by a name of its `expect`. */
export type ExpectedSignal = {
	readonly kind: 'signal';
	readonly name: string;
	readonly line: number;
	readonly value: string;
};

/** Defines the line signals that a plan expects; a name that `known` has stays what it is. */
export const expectedSignals = (
	known: readonly Definition[],
	names: readonly string[],
): readonly Definition<ExpectedSignal, Informs>[] => {
	const markers = new Set(known.map(({marker}) => marker));
	return [...new Set(names)]
		.filter(name => !markers.has(name))
		.map(name =>
			defineValueLine({
				kind: 'signal',
				marker: name,
				help: `Say ${name}, which this task expects.`,
				value: 'the value',
				examples: [`${name}: yes\n`, `${name}: 3 of 4\n`],
				nearMiss: `${name} yes\n`,
				read: value => ({name, value}),
				told: ({value}) => `${name}: ${value}`,
			}),
		);
};
