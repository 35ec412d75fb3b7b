import type {AgentReport} from '../../../rules/report/agent-report.ts';
import {markdownTable} from './markdown.ts';
import type {Words} from './parts.ts';

type Brings = Pick<AgentReport, 'id' | 'results'>;

/** Returns what all agents bring, a row for each result. */
export const resultsTable = (agents: readonly Brings[]): string =>
	markdownTable({head: resultsHead, rows: resultRowsOf(agents)});

export const resultsHead = ['Agent', 'Topic', 'Status', 'Path', 'Summary'];

export const resultRowsOf = (agents: readonly Brings[]): readonly (readonly Words[])[] =>
	agents.flatMap(({id, results}) =>
		results.map(({topic, status, path, summary}) => [id, topic, status, path, summary]),
	);
