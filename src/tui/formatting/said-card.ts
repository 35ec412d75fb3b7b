import {tokenInWords} from '../../lib/text/words.ts';
import type {Signal} from '../../signals/index.ts';
import {signalText} from '../../signals/meaning.ts';
import {createParser} from '../../signals/parser/parser.ts';
import {fact, type Row, row, span} from '../rows/row.ts';
import {oncePerText, wrapped} from '../rows/text.ts';

/** Returns an agent's text as a card: a sentence about the signal, and its fields below; nothing unless the text is exactly one valid signal. */
export const cardRows = oncePerText(1000, (said, columns: number): readonly Row[] | undefined => {
	const signal = signalIn(said);
	return signal === undefined || signal.kind === 'malformed'
		? undefined
		: [
				...wrapped(signalText(signal), columns - 2).map(
					(line, index): Row => [span(index === 0 ? '◆ ' : '  ', 'info'), span(line, 'strong')],
				),
				...fieldRows(told(signal), columns - 2).map(cells => [span('  '), ...cells]),
			];
});

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

/** Fields for machines, or already in the sentence. */
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
		? fact(name, name === 'status' ? tokenInWords(`${value}`) : `${value}`, columns)
		: value === null || value === undefined
			? []
			: [
					row(name, 'dim'),
					...fieldRows(Object(value), columns - 2).map(cells => [span('  '), ...cells]),
				];
};

const isPlain = (value: unknown): boolean =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
