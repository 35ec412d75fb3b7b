import {cellsOf, isTableLine, isTableRule, rowOf} from '../../lib/text/markdown-table.ts';
import {isNone, itemsOf, plainWords} from './checkpoint-words.ts';

/** A file an agent says it changed. */
export type Change = {readonly file: string; readonly action: string; readonly description: string};

/** Reads a section of changes: a table, or a list of `file - action - description`. */
export const changesOf = (lines: readonly string[]): readonly Change[] => {
	const rows = lines.filter(isTableLine);
	if (rows.length > 0) {
		return rowsOf(rows);
	}

	return itemsOf(lines).map(item => {
		const [file = '', action = '', ...others] = item.split(/ +[-–—] +|: +/);
		return {file: plainWords(file), action, description: others.join(' - ')};
	});
};

const rowsOf = (lines: readonly string[]): readonly Change[] => {
	const head = cellsOf(lines[0] ?? '').map(cell => cell.toLowerCase());
	const hasHead = head.includes('file');
	const columns = hasHead ? head : ['file', 'action', 'description'];
	return lines
		.slice(hasHead ? 1 : 0)
		.filter(line => !isTableRule(line))
		.map(line => {
			const cells = rowOf(line, columns.length);
			const cell = (name: string): string => cells[columns.indexOf(name)] ?? '';
			return {
				file: plainWords(cell('file')),
				action: cell('action'),
				description: cell('description'),
			};
		})
		.filter(({file}) => file !== '' && !isNone(file));
};
