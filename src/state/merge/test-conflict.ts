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
	/** `medium` where not each smaller group was seen to pass. */
	readonly confidence: Confidence;
	readonly summary: string;
	/** Where the check of their work failed, the likeliest place first; none where it named no file. */
	readonly evidence: readonly FailureLocation[];
	/** Changes of each agent, by line if few files changed. */
	readonly changed: readonly ChangedBy[];
};

/**
Returns the conflicts that a verdict comes to: one agent that fails alone collides with nobody.

@param places Where the check of all the work failed; where a group was checked by itself, it says so itself.
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
