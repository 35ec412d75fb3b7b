import {type ResultRow, type ResultSaid, resultRows} from '../../signals/result-rows.ts';
import type {Agent} from './agent.ts';

/** Returns the rows of all results that an agent gave, be it as tables or as JSON. */
export const resultsOf = ({updates}: Agent): readonly ResultRow[] =>
	updates.results.flatMap(resultRows);

/** Returns what an agent brings in all: its results, or one row of what else it told of its work. */
export const summedUp = (agent: Agent): readonly ResultRow[] => {
	const {report, updates, subtask, state} = agent;
	const results = resultsOf(agent);
	return results.length > 0
		? results
		: [
				{
					topic: updates.title ?? subtask.subtask,
					status: report?.status ?? state.toLowerCase(),
					path: [...new Set([...(report?.deliverables ?? []), ...updates.created])].join(', '),
					summary: updates.summary?.value ?? '',
				},
			];
};

/** Returns what an agent measured, by its report or else by its last result that has such numbers. */
export const measuredBy = ({report, updates}: Agent): unknown =>
	report?.metrics_achieved ??
	updates.results.flatMap(({metrics}: ResultSaid) => metrics ?? []).at(-1) ??
	null;
