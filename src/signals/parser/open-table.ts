import {cellsOf, isTableLine, isTableRule} from '../../lib/text/markdown-table.ts';
import type {Definition} from '../definition.ts';
import {undecorated} from './decoration.ts';
import {createCollector, type Line, type Open, outcomeOf, unfinished} from './open.ts';

type TableDefinition = Definition & {readonly form: {readonly type: 'table'}};

/** Whether a line is the head of the table that is defined. */
export const opensTable = ({form}: TableDefinition, text: string): boolean => {
	if (!text.toLowerCase().includes(form.columns[0] ?? '')) {
		return false;
	}

	const cells = cellsOf(text).map(cell => cell.toLowerCase());
	return form.columns.every(column => cells.includes(column));
};

/** A table from its head to the first line that isn't part of it. Without a rule below the head it is none. */
export const openTable = (definition: TableDefinition, opener: Line): Open => {
	const collector = createCollector();
	let isTable = false;
	let isTooLong = opener.cut;

	collector.add(undecorated(opener.text));
	return {
		take: line => {
			const text = undecorated(line.text);
			if (!isTableLine(text) || !(isTable || isTableRule(text))) {
				return 'before';
			}

			isTable = true;
			isTooLong ||= line.cut || !collector.add(text);
			return 'more';
		},
		settle: () => {
			const text = collector.lines.join('\n');
			if (!isTable) {
				return [];
			}

			return isTooLong
				? unfinished(definition, opener.number, 'The table holds more than 16 KiB.', text)
				: outcomeOf(definition, {line: opener.number, text, raw: text});
		},
	};
};
