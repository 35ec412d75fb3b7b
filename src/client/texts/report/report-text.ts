import type {Report} from '../../../rules/report/report.ts';
import {contentOf} from './content.ts';
import {markdown, markdownFacts, markdownTable} from './markdown.ts';

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
