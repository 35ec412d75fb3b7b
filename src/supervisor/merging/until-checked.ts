import type {Finding} from '../../events/finding.ts';
import {defined} from '../../lib/values.ts';

/**
Returns what is said of a pair until checkers have seen its present work: what was found by reading it, judged as they judged it the last time.

What they had confirmed stays, so that nothing is taken back after each change only to be said again.
*/
export const untilChecked = (
	read: readonly Finding[],
	lastJudged: readonly Finding[],
): readonly Finding[] => {
	const judged = new Map(lastJudged.map(finding => [finding.key, finding]));
	const keys = new Set(read.map(({key}) => key));
	return [
		...read.map(finding => asJudged(finding, judged.get(finding.key))),
		...lastJudged.filter(({key, confirmed}) => confirmed !== undefined && !keys.has(key)),
	];
};

/** Returns what is said of a pair while further checkers are asked: what was found so far, and what those had confirmed the last time. */
export const untilAllAsked = (
	found: readonly Finding[],
	lastJudged: readonly Finding[],
	asked: readonly string[],
): readonly Finding[] => {
	const keys = new Set(found.map(({key}) => key));
	return [
		...found,
		...lastJudged.filter(
			({key, confirmed}) =>
				confirmed !== undefined && !asked.includes(confirmed.by) && !keys.has(key),
		),
	];
};

const asJudged = (finding: Finding, last: Finding | undefined): Finding => {
	if (last === undefined) {
		return finding;
	}

	const {blocking, confidence, confirmed} = last;
	return {...finding, blocking, confidence, ...defined({confirmed})};
};
