import type {Report} from '../../../rules/report/report.ts';
import {contentOf, markdown, markdownFacts, markdownTable} from './content.ts';

/** Words of a report in which code is told apart: nothing has a meaning in it. */
export type Words = string | readonly (string | Code)[];

/** A path, a glob or a command. */
export type Code = {readonly code: string};

/** Something that is known, under its name, and what there is of it. */
export type Fact = {readonly name: string; readonly values: readonly Words[]};

/** Rows with as many cells as the head has. */
export type Table = {
	readonly head: readonly string[];
	readonly rows: readonly (readonly Words[])[];
};

export const code = (text: string): readonly Code[] => [{code: text}];

export const fact = (name: string, ...values: readonly Words[]): Fact => ({name, values});

/** Returns all of several texts as code, with commas between them. */
export const listed = (texts: readonly string[]): Words =>
	texts.flatMap((text, position) => [...(position === 0 ? [] : [', ']), {code: text}]);

/** Returns the report of a session as Markdown; `now` ends what goes on. */
export const reportText = (report: Report, now: string): string => {
	const {title, facts, merges, agents, results, each, tables, timeline} = contentOf(report, now);
	return [
		`# ${markdown(title)}\n\n${markdownFacts(facts)}`,
		`## Result\n\n${merges.length === 0 ? 'Nothing was merged.\n' : merges.map(words => `- ${markdown(words)}\n`).join('')}`,
		`## Agents\n\n${markdownTable(agents)}`,
		`## Results\n\n${markdownTable(results)}`,
		...each.map(
			({id, subtask, facts}) => `### ${id} ${markdown(subtask)}\n\n${markdownFacts(facts)}`,
		),
		...tables.map(table => `## ${table.heading}\n\n${markdownTable(table)}`),
		`## Timeline\n\n${markdownTable(timeline)}`,
	].join('\n');
};
