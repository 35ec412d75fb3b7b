import type {Confidence, ConflictType, RulesByType} from '../../events/finding.ts';
import type {ChangedBy, FailureLocation} from '../../events/kinds/merge-event.ts';
import {isSamePart, type Part, type Verdict} from './attribution.ts';
import {setText} from './attribution-text.ts';
import type {PartRun} from './merge.ts';

/** A test failure that several agents cause together although each passes alone. */
export type TestConflict = {
	readonly type: Extract<ConflictType, 'TEST_CONFLICT'>;
	readonly rule: Extract<RulesByType['TEST_CONFLICT'], 'T4'>;
	readonly agents: Part;
	readonly blocking: true;
	/** `medium` if not every smaller group passed a check. */
	readonly confidence: Confidence;
	readonly summary: string;
	/** Places of the check's failure, the likeliest first; empty if it named no file. */
	readonly evidence: readonly FailureLocation[];
	/** Changes of each agent, by line if few files changed. */
	readonly changed: readonly ChangedBy[];
};

/**
Returns the conflicts in a verdict: an agent that fails alone collides with none.

@param places Places of the failed check of all work; a group that was checked separately has its own.
*/
export const testConflicts = (
	verdict: Verdict,
	runs: readonly PartRun[],
	places: readonly FailureLocation[] = [],
): readonly TestConflict[] =>
	verdict.kind === 'agents'
		? verdict.sets
				.filter(({agents}) => agents.length > 1)
				.map(set => ({set, run: runs.find(run => isSamePart(run.agents, set.agents))}))
				.map(({set, run}) => ({
					type: 'TEST_CONFLICT',
					rule: 'T4',
					agents: set.agents,
					blocking: true,
					confidence: set.isSure ? 'high' : 'medium',
					summary: setText(set),
					evidence: run?.places ?? places,
					changed: run?.changed ?? [],
				}))
		: [];
