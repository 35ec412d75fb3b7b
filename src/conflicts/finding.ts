import type {RulesByType} from '../events/finding.ts';

export type {
	Confidence,
	ConflictType,
	Evidence,
	FileConflictKind,
	Finding,
	FindingOf,
	RulesByType,
} from '../events/finding.ts';

/** Returns the key of what a rule found at a path; names tell apart several things at one path. */
export const keyOf = (
	rule: RulesByType[keyof RulesByType],
	path: string,
	...names: readonly string[]
): string => [rule, path, ...names].join(' ');
