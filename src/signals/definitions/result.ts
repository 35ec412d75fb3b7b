import {omit} from '../../lib/omit.ts';
import type {Definition} from '../definition.ts';
import {isPlaceholder} from '../fields/placeholder.ts';
import {OnlyExample, Unreadable} from '../fields/unreadable.ts';

/** The object's own keys, except that `kind` and `line` are ours. */
type Result = {
	readonly kind: 'result';
	readonly line: number;
	readonly status: unknown;
	readonly artifacts?: unknown;
	readonly metrics?: unknown;
	readonly [key: string]: unknown;
};

export const result: Definition<Result> = {
	kind: 'result',
	marker: 'RESULT',
	form: {
		type: 'object',
		claims: text => /"status"\s*:/.test(text) && /"(?:artifacts|metrics)"\s*:/.test(text),
	},
	meaning: {kind: 'informs'},
	help: 'Give results for machines: a JSON object with status, and artifacts or metrics or both.',
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
};

const parse = (text: string): Readonly<Record<string, unknown>> => {
	try {
		return Object.fromEntries(Object.entries(JSON.parse(text)));
	} catch {
		throw new Unreadable('The result is not valid JSON.');
	}
};
