import {cellsOf, isTableRule, printTable, rowOf} from '../../lib/text/markdown-table.ts';
import {valueText} from '../../lib/text/words.ts';
import {isObject, omit} from '../../lib/values.ts';
import type {Definition, Informs} from '../definition.ts';
import {isPlaceholder, OnlyExample, Unreadable} from '../fields/unreadable.ts';

/** The object's own keys, except `kind` and `line`. */
type Result = {
	readonly kind: 'result';
	readonly line: number;
	readonly status: unknown;
	readonly artifacts?: unknown;
	readonly metrics?: unknown;
	readonly [key: string]: unknown;
};

export const result: Definition<Result, Informs> = {
	kind: 'result',
	marker: 'RESULT',
	form: {
		type: 'object',
		claims: text => /"status"\s*:/.test(text) && /"(?:artifacts|metrics)"\s*:/.test(text),
	},
	meaning: {kind: 'informs'},
	help: 'Give results for machines: a JSON object with status, and artifacts or metrics or both. The status complete ends your work with your turn.',
	fields: [
		{name: 'status', type: 'text', presence: 'required', meaning: 'complete or another word'},
		{
			name: 'artifacts',
			type: 'list',
			presence: 'optional',
			meaning: 'what you made: path, type, title, summary',
		},
		{name: 'metrics', type: 'object', presence: 'optional', meaning: 'what you measured'},
	],
	examples: [
		`{
  "status": "complete",
  "artifacts": [{"path": "/path/to/report1.md", "type": "research_report"}],
  "metrics": {"files_analyzed": 45, "time_elapsed": "2.3s"}
}
`,
		'{"status": "failed", "metrics": {"retries": 3}}\n',
	],
	nearMiss: '{"status": "complete", "artifacts": [,]}\n',
	template: `{
  "status": "‹complete or another word›",
  "artifacts": [{"path": "‹path›", "type": "‹type›", "title": "‹title›", "summary": "‹summary›"}],
  "metrics": {"‹name›": "‹value›"}
}
`,
	read: (text, line) => {
		const said = omit(parse(text), 'kind', 'line');
		if (!('status' in said && ('artifacts' in said || 'metrics' in said))) {
			throw new OnlyExample('The names of a result stand in a part of another object.');
		}

		if (typeof said.status === 'string' && isPlaceholder(said.status)) {
			throw new OnlyExample('The result is not filled in.');
		}

		return {kind: 'result', line, ...said, status: said.status};
	},
	print: said => `${JSON.stringify(omit(said, 'kind', 'line'), null, '\t')}\n`,
	told: said => toldResult(said),
};

const parse = (text: string): Readonly<Record<string, unknown>> => {
	try {
		return Object.fromEntries(Object.entries(JSON.parse(text)));
	} catch {
		throw new Unreadable('The result is not valid JSON.');
	}
};

const COLUMNS = ['topic', 'status', 'path', 'summary'];

/** A row by lower-case column names, including further columns. */
type Row = Readonly<Record<string, string>>;

type ResultTable = {
	readonly kind: 'result';
	readonly line: number;
	readonly rows: readonly Row[];
};

export const resultTable: Definition<ResultTable, Informs> = {
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
	told: said => toldResult(said),
};

/** One result of an agent, with the columns of the table. */
export type ResultRow = {
	readonly topic: string;
	readonly status: string;
	readonly path: string;
	readonly summary: string;
};

/** The known parts of a result; their content is not validated. */
export type ResultSaid = {
	readonly rows?: unknown;
	readonly status?: unknown;
	readonly artifacts?: unknown;
	readonly metrics?: unknown;
};

/** Returns the rows of a result, given as a table or as JSON. */
export const resultRows = ({rows, artifacts, status}: ResultSaid): readonly ResultRow[] =>
	Array.isArray(rows)
		? rows.map(row => ({
				topic: wordsAt(row, 'topic'),
				status: wordsAt(row, 'status'),
				path: wordsAt(row, 'path'),
				summary: wordsAt(row, 'summary'),
			}))
		: (Array.isArray(artifacts) ? artifacts : []).map(artifact => ({
				topic: wordsAt(artifact, 'title') || wordsAt(artifact, 'type'),
				status: status === undefined ? '' : valueText(status),
				path: typeof artifact === 'string' ? artifact : wordsAt(artifact, 'path'),
				summary: wordsAt(artifact, 'summary'),
			}));

const toldResult = (said: ResultSaid): string => {
	const {status, metrics} = said;
	const rows = resultRows(said).map(({topic, path, status}) =>
		[topic || path, status].filter(word => word !== '').join(' '),
	);
	const brought = rows.length === 0 && status !== undefined ? valueText(status) : rows.join(', ');
	return `gives results: ${[brought, ...(metrics === undefined ? [] : [valueText(metrics)])].join(' · ')}`;
};

/** Returns the text of a result. */
export const resultText = ({topic, status, path, summary}: ResultRow): string =>
	[topic, status, path, summary].filter(word => word !== '').join(' · ');

const wordsAt = (value: unknown, name: string): string => {
	const part = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
	return part === undefined || part === null ? '' : valueText(part);
};
