import type {Definition, Informs, Said} from './definition.ts';
import {isPlaceholder, OnlyExample, placeholder, Unreadable} from './fields/unreadable.ts';

type Named = Pick<Definition, 'marker' | 'help' | 'examples' | 'nearMiss'> & {
	/** True if the value is prose, which may continue in the lines below. */
	readonly wraps?: boolean;
};

type LineOptions<Signal extends Said> = Named & {
	readonly kind: string;
	/** Form of the value with its parts named: `Phase - Status`; each part is a field. */
	readonly value: string;
	readonly fields: Readonly<Record<string, string>>;
	/** Labels of lines that may follow directly, with the field of each. */
	readonly followers?: Readonly<Record<string, string>>;
	/** Prefix of those lines in print. */
	readonly bullet?: string;
	readonly read: (
		value: string,
		line: number,
		/** Returns the text after a label below; `undefined` if it is absent or empty. */
		below: (label: string) => string | undefined,
	) => Signal;
	readonly print: (signal: Signal) => LineText;
	/** Returns the signal for a person, as one line to follow its agent's name. */
	readonly told: (signal: Signal) => string;
};

/** Value of a line signal, and of the labelled lines below it. */
type LineText = {
	readonly value: string;
	readonly below?: Readonly<Record<string, string | number | undefined>>;
};

/** Defines an informing signal of the form `MARKER: value`, optionally with labelled lines below it. */
export const defineLine = <Signal extends Said>({
	value,
	fields,
	followers = {},
	bullet = '',
	wraps = false,
	read,
	print,
	...shared
}: LineOptions<Signal>): Definition<Signal, Informs> => {
	const {marker} = shared;
	const written = (said: LineText): string => {
		const lines = Object.entries(said.below ?? {})
			.filter(([, words]) => words !== undefined)
			.map(([label, words]) => `${bullet}${label}: ${words}\n`);
		return `${marker}: ${said.value}\n${lines.join('')}`;
	};

	return {
		...shared,
		form: {type: 'line', followers: new Set(Object.keys(followers)), wraps},
		meaning: {kind: 'informs'},
		fields: Object.entries(fields).map(([name, meaning]) => ({
			name,
			type: 'text',
			presence: Object.values(followers).includes(name) ? 'optional' : 'required',
			meaning,
		})),
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
	};
};

const splitLabel = (text: string): readonly [string, string] => {
	const at = text.indexOf(':');
	return [text.slice(0, at), text.slice(at + 1).trim()];
};

/** Defines a line signal with one value: any text, unless `read` converts it. */
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
	/** Meaning of the value. */
	readonly value: string;
	readonly read: (value: string) => Value;
	/** Returns the text for a person, if it is more than the kind and the value. */
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

/** Returns a value unchanged. */
export const asText = (value: string): {readonly value: string} => ({value});

/** A line signal of one plan, named in its `expect`. */
export type ExpectedSignal = {
	readonly kind: 'signal';
	readonly name: string;
	readonly line: number;
	readonly value: string;
};

/** Defines the line signals that a plan expects; a known name keeps its definition. */
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
