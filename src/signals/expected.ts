import type {Definition} from './definition.ts';
import {placeholder} from './fields/unreadable.ts';
import {defineLine} from './line-signal.ts';

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
): readonly Definition<ExpectedSignal>[] => {
	const markers = new Set(known.map(({marker}) => marker));
	return [...new Set(names)].filter(name => !markers.has(name)).map(expectedSignal);
};

const expectedSignal = (name: string): Definition<ExpectedSignal> =>
	defineLine<ExpectedSignal>({
		kind: 'signal',
		marker: name,
		meaning: {kind: 'informs'},
		help: `Say ${name}, which this task expects.`,
		value: placeholder('the value'),
		fields: {value: 'the value'},
		examples: [`${name}: yes\n`, `${name}: 3 of 4\n`],
		nearMiss: `${name} yes\n`,
		read: ({value}, line) => ({kind: 'signal', name, line, value}),
		print: ({value}) => ({value, below: new Map()}),
	});
