import type {ResultRow} from '../../signals/result-rows.ts';
import type {Agent} from '../agent/agent.ts';
import {measuredBy, resultsOf} from '../agent/results.ts';
import type {Told} from '../agent/told.ts';

/** What an agent says of its work as a whole. */
export type ReportDetail = {
	readonly deliverables: readonly string[];
	/** What the plan measures it by, and what it says of that. */
	readonly metrics: readonly string[];
	readonly metrics_achieved: unknown;
	readonly recommendations: readonly string[];
	readonly summary: string | null;
	readonly results: readonly ResultRow[];
	readonly phases: Told['phases'];
	readonly errors: Told['errors'];
	readonly findings: Told['findings'];
};

/** Returns what an agent says of its work, as readers are shown it; nothing of one that is unknown. */
export const reportDetail = (agent: Agent | undefined): Partial<ReportDetail> =>
	agent === undefined
		? {}
		: {
				deliverables: agent.report?.deliverables ?? [],
				metrics: agent.subtask.metrics,
				metrics_achieved: measuredBy(agent),
				recommendations: agent.report?.recommendations ?? [],
				summary: agent.told.summary?.value ?? null,
				results: resultsOf(agent),
				phases: agent.told.phases,
				errors: agent.told.errors,
				findings: agent.told.findings,
			};
