import type {Claim, WrongClaim} from '../../../events/event.ts';
import {lastSnapshot} from '../../select.ts';
import type {Agent} from '../agent.ts';
import {checkOfWork} from './snapshot-check.ts';

/** Returns what an agent says of its work beside what was found of it: its files, and its tests once they were run on exactly that work. */
export const claimsOf = (agent: Agent): readonly Claim[] => [
	...(lastSnapshot(agent)?.claims ?? []),
	...testsClaim(agent),
];

/** Returns how many of them do not hold. */
export const wrongClaims = (agent: Agent): readonly WrongClaim[] =>
	claimsOf(agent).filter(claim => !claim.holds);

const testsClaim = (agent: Agent): readonly Claim[] => {
	const said = agent.updates.checkpoint?.tests?.result;
	const check = checkOfWork(agent);
	if (said === undefined || said === 'SKIPPED' || check === undefined || check.ok === null) {
		return [];
	}

	const found = check.ok ? 'passed' : 'failed';
	return [{claim: `Tests: ${said}`, holds: (said === 'PASS') === check.ok, found}];
};
