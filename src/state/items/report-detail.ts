import type {ResultRow} from '../../signals/result-rows.ts';
import type {Agent} from '../agent/agent.ts';
import {measuredBy, resultsOf} from '../agent/results.ts';
import type {Updates} from '../agent/updates.ts';

/** What an agent says of its work as a whole. */
export type ReportDetail = {
	readonly deliverables: readonly string[];
	/** What the plan measures it by, and what it says of that. */
	readonly metrics: readonly string[];
	readonly metrics_achieved: unknown;
	readonly recommendations: readonly string[];
	readonly summary: string | null;
	readonly results: readonly ResultRow[];
	readonly phases: Updates['phases'];
	readonly errors: Updates['errors'];
	readonly findings: Updates['findings'];
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
				summary: agent.updates.summary?.value ?? null,
				results: resultsOf(agent),
				phases: agent.updates.phases,
				errors: agent.updates.errors,
				findings: agent.updates.findings,
			};
