import type {Signal} from '../../signals/index.ts';
import {signalText} from '../../signals/meaning.ts';
import {createParser} from '../../signals/parser/parser.ts';
import {fact, type Row, row, span} from '../rows/row.ts';
import {wrapped} from '../rows/text.ts';

/** Returns what an agent said by these lines as a card: in a sentence what it is, and below all that it holds; nothing where they are not exactly one signal that can be read. */
export const cardRows = (lines: readonly string[], columns: number): readonly Row[] | undefined => {
	const signal = signalIn(lines.join('\n'));
	return signal === undefined || signal.kind === 'malformed'
		? undefined
		: [
				...wrapped(signalText(signal), columns - 2).map(
					(line, index): Row => [span(index === 0 ? '◆ ' : '  ', 'info'), span(line, 'strong')],
				),
				...fieldRows(told(signal), columns - 2).map(cells => [span('  '), ...cells]),
			];
};

/** What the sentence holds already is not told again. */
const told = (signal: Signal): object => {
	const sentence = signalText(signal);
	return Object.fromEntries(
		Object.entries(signal).filter(
			([, value]) => !(isPlain(value) && sentence.includes(`${value}`)),
		),
	);
};

/** A transcript grows a line at a time, and each time all of it is laid out. */
const known = new Map<string, Signal | undefined>();

const mostKnown = 200;

const signalIn = (text: string): Signal | undefined => {
	if (!known.has(text)) {
		if (known.size >= mostKnown) {
			known.clear();
		}

		const parser = createParser();
		const said = [...parser.push(`${text}\n`), ...parser.end()];
		known.set(text, said.length === 1 ? said[0] : undefined);
	}

	return known.get(text);
};

/** What is for machines, or told in the sentence above. */
const untold = new Set([
	'kind',
	'line',
	'id',
	'type',
	'required',
	'all_required',
	'question',
	'details',
	'agent',
	'agent_id',
	'timestamp',
]);

const fieldRows = (said: object, columns: number): readonly Row[] =>
	Object.entries(said).flatMap(([name, value]) =>
		untold.has(name) ? [] : valueRows(name.replaceAll('_', ' '), value, columns),
	);

const valueRows = (name: string, value: unknown, columns: number): readonly Row[] => {
	if (Array.isArray(value)) {
		const [texts, parts] = [value.filter(isPlain), value.filter(one => !isPlain(one))];
		return [
			...fact(name, texts.join(' · '), columns),
			...parts.flatMap(one => fieldRows(Object(one), columns)),
		];
	}

	return isPlain(value)
		? fact(name, `${value}`, columns)
		: value === null || value === undefined
			? []
			: [
					row(name, 'dim'),
					...fieldRows(Object(value), columns - 2).map(cells => [span('  '), ...cells]),
				];
};

const isPlain = (value: unknown): boolean =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
