import {z} from 'zod';

/** One tried change of the code. */
export type Mutant = {
	readonly file: string;
	/** Line of its beginning, from 1. */
	readonly line: number;
	/** Text of that line. */
	readonly on: string;
	/** Name of the enclosing declaration; empty before the first one. */
	readonly within: string;
	/** The original text and its replacement; both on one line. */
	readonly was: string;
	readonly became: string;
	readonly isNoticed: boolean;
};

const place = z.object({line: z.number(), column: z.number()});

const schema = z.object({
	files: z.record(
		z.string(),
		z.object({
			source: z.string(),
			mutants: z.array(
				z.object({
					status: z.string(),
					replacement: z.string(),
					location: z.object({start: place, end: place}),
				}),
			),
		}),
	),
});

/** Parses a report of Stryker, without mutants that could not run. */
export const readReport = (json: string): readonly Mutant[] =>
	Object.entries(schema.parse(JSON.parse(json)).files).flatMap(([file, {source, mutants}]) => {
		const lines = source.split('\n');
		return mutants
			.filter(({status}) => statuses.has(status))
			.map(({status, replacement, location: {start, end}}) => ({
				file,
				line: start.line,
				on: flat(lines[start.line - 1] ?? ''),
				within: declarationAt(lines, start.line),
				was: flat(textBetween(lines, start, end)),
				became: flat(replacement),
				isNoticed: status === 'Killed' || status === 'Timeout',
			}));
	});

const statuses = new Set(['Killed', 'Timeout', 'Survived', 'NoCoverage']);

type Position = z.infer<typeof place>;

/** Returns the text between two positions, whose columns count from 1. */
const textBetween = (lines: readonly string[], start: Position, end: Position): string => {
	const text = lines.slice(start.line - 1, end.line).join('\n');
	const behind = (lines[end.line - 1]?.length ?? 0) - (end.column - 1);
	return text.slice(start.column - 1, text.length - behind);
};

/** Returns the last declaration above a line that is not indented. */
const declarationAt = (lines: readonly string[], line: number): string =>
	lines
		.slice(0, line)
		.map(text => /^(?:export )?(?:const|let|type|async function|function) (\w+)/.exec(text)?.[1])
		.findLast(name => name !== undefined) ?? '';

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
