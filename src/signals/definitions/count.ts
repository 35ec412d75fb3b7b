import {placeholder} from '../fields/placeholder.ts';
import {Unreadable} from '../fields/unreadable.ts';
import {defineLine} from '../line-signal.ts';

type Count = {readonly kind: 'count'; readonly line: number; readonly value: number};

export const count = defineLine<Count>({
	kind: 'count',
	marker: 'COUNT',
	meaning: {kind: 'informs'},
	help: 'Say how many there are of what you were asked to count.',
	value: placeholder('a whole number'),
	fields: {value: 'a whole number'},
	examples: ['COUNT: 15\n', 'COUNT: 0\n'],
	nearMiss: 'COUNT: a lot\n',
	read: ({value}, line) => {
		const number = Number(value);
		if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
			throw new Unreadable('COUNT takes a whole number.');
		}

		return {kind: 'count', line, value: number};
	},
	print: ({value}) => ({value: String(value), below: new Map()}),
});
