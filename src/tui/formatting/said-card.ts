import type {Signal} from '../../signals/index.ts';
import {signalText} from '../../signals/meaning.ts';
import {createParser} from '../../signals/parser/parser.ts';
import {fact, type Row, row, span} from '../rows/row.ts';
import {wrapped} from '../rows/text.ts';

/** Returns what an agent said by these lines as a card: in a sentence what it is, and below all that it holds; nothing where they are not exactly one signal that can be read. */
export const cardRows = (lines: readonly string[], columns: number): readonly Row[] | undefined => {
	const said = lines.join('\n');
	const key = `${columns} ${said}`;
	if (!known.has(key)) {
		if (known.size >= mostKnown) {
			known.clear();
		}

		known.set(key, madeRows(said, columns));
	}

	return known.get(key);
};

/** A transcript grows a line at a time, and each time all of it is laid out; no more cards than this are in one. */
const known = new Map<string, readonly Row[] | undefined>();

const mostKnown = 1000;

const madeRows = (said: string, columns: number): readonly Row[] | undefined => {
	const signal = signalIn(said);
	return signal === undefined || signal.kind === 'malformed'
		? undefined
		: [
				...wrapped(signalText(signal), columns - 2).map(
					(line, index): Row => [span(index === 0 ? '◆ ' : '  ', 'info'), span(line, 'strong')],
				),
				...fieldRows(told(signal), columns - 2).map(cells => [span('  '), ...cells]),
			];
};

/** Returns a signal's fields without those in its sentence. */
const told = (signal: Signal): object => {
	const sentence = signalText(signal);
	return Object.fromEntries(
		Object.entries(signal).filter(
			([, value]) => !(isPlain(value) && sentence.includes(`${value}`)),
		),
	);
};

const signalIn = (text: string): Signal | undefined => {
	const parser = createParser();
	const said = [...parser.push(`${text}\n`), ...parser.end()];
	return said.length === 1 ? said[0] : undefined;
};

/** Fields that are for machines, or in the sentence above. */
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
