import {type ResultRow, type ResultSaid, resultRows} from '../../signals/result-rows.ts';
import type {Agent} from './agent.ts';

/** Returns the rows of all results that an agent gave, be it as tables or as JSON. */
export const resultsOf = ({told}: Agent): readonly ResultRow[] => told.results.flatMap(resultRows);

/** Returns what an agent brings in all: its results, or one row of what else it told of its work. */
export const summedUp = (agent: Agent): readonly ResultRow[] => {
	const {report, told, subtask, state} = agent;
	const results = resultsOf(agent);
	return results.length > 0
		? results
		: [
				{
					topic: told.title ?? subtask.subtask,
					status: report?.status ?? state.toLowerCase(),
					path: [...new Set([...(report?.deliverables ?? []), ...told.created])].join(', '),
					summary: told.summary?.value ?? '',
				},
			];
};

/** Returns what an agent measured, by its report or else by its last result that has such numbers. */
export const measuredBy = ({report, told}: Agent): unknown =>
	report?.metrics_achieved ??
	told.results.flatMap(({metrics}: ResultSaid) => metrics ?? []).at(-1) ??
	null;
