import {valueText} from '../lib/text/value-text.ts';

/** One thing that an agent brings, as the table of results has it. */
export type ResultRow = {
	readonly topic: string;
	readonly status: string;
	readonly path: string;
	readonly summary: string;
};

/** A result, as far as its shape is of interest; what stands in it is the agent's own affair. */
export type ResultSaid = {
	readonly rows?: unknown;
	readonly status?: unknown;
	readonly artifacts?: unknown;
	readonly metrics?: unknown;
};

/** Returns what a result brings, be it said as a table or as JSON. */
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

const wordsAt = (value: unknown, name: string): string => {
	const part =
		typeof value === 'object' && value !== null
			? Object.entries(value).find(([key]) => key === name)?.[1]
			: undefined;
	return part === undefined || part === null ? '' : valueText(part);
};
