import {lastSnapshot} from '../select.ts';
import type {Agent, Snapshot} from './agent.ts';

/** Its work as it is now has been looked at, or that of the snapshot it is set back to; what comes is new. */
export const withReview = (agent: Agent, at = lastSnapshot(agent)?.number): Agent =>
	at === undefined ? agent : {...agent, reviewed: at};

/** Returns the snapshot since which its work is new; nothing where all of it is, or none. */
export const reviewedSnapshot = (agent: Agent): Snapshot | undefined =>
	agent.reviewed === lastSnapshot(agent)?.number
		? undefined
		: agent.snapshots.find(({number}) => number === agent.reviewed);
