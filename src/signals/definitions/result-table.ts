import {cellsOf, isTableRule, printTable, rowOf} from '../../lib/text/markdown-table.ts';
import type {Definition} from '../definition.ts';
import {isPlaceholder} from '../fields/placeholder.ts';
import {OnlyExample, Unreadable} from '../fields/unreadable.ts';

const COLUMNS = ['topic', 'status', 'path', 'summary'];

/** A row by its column names in lower case; further columns are kept. */
type Row = Readonly<Record<string, string>>;

type ResultTable = {
	readonly kind: 'result';
	readonly line: number;
	readonly rows: readonly Row[];
};

export const resultTable: Definition<ResultTable> = {
	kind: 'result',
	marker: 'RESULT TABLE',
	form: {type: 'table', columns: COLUMNS},
	meaning: {kind: 'informs'},
	help: 'Give results for people: a table with Topic, Status, Path and Summary.',
	fields: [{name: 'rows', type: 'table', presence: 'required', meaning: 'a row for each topic'}],
	examples: [
		`| Topic | Status | Path | Summary |
|-------|--------|------|---------|
| Auth | done | /path/auth.md | Found 12 patterns... |
| Logging | done | /path/log.md | Found 8 patterns... |
`,
		`| Status | Topic | Summary | Path |
|:--|:--|:--|--:|
| open | Cache | \`a \\| b\` is undecided | - |
`,
	],
	nearMiss: `| Topic | Status | Path | Summary |
|-------|--------|------|---------|
`,
	template: `| Topic | Status | Path | Summary |
|-------|--------|------|---------|
| ‹topic› | ‹status› | ‹path› | ‹summary› |
`,
	read: (text, line) => {
		const [head = '', ...others] = text.split('\n').filter(each => !isTableRule(each));
		const columns = cellsOf(head).map(name => name.toLowerCase());
		const rows = others.map(other => {
			const cells = rowOf(other, columns.length);
			return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
		});
		if (rows.length === 0) {
			throw new Unreadable('The result table has no row.');
		}

		if (rows.some(row => COLUMNS.every(name => isPlaceholder(row[name] ?? '')))) {
			throw new OnlyExample('The result table is not filled in.');
		}

		return {kind: 'result', line, rows};
	},
	print: ({rows}) => {
		const columns = Object.keys(rows[0] ?? {});
		return printTable([columns, ...rows.map(row => columns.map(name => row[name] ?? ''))]);
	},
};
