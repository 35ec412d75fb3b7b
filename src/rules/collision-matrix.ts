import {defined} from '../lib/values.ts';
import {isPair} from '../state/agent/compared.ts';
import {mergedNow} from '../state/merge/members.ts';
import {areRivals} from '../state/rivals/rivals.ts';
import {agentOf} from '../state/select.ts';
import type {ComparedPair, State} from '../state/state.ts';
import {hasWork, isAtWork, pairsToCompare} from './collisions.ts';

/** Result of comparing an agent's work with another's, or with the target. */
export type Meeting =
	/** An agent compared with itself. */
	| {readonly standing: 'same'}
	| {readonly standing: 'not compared'; readonly why: string}
	/** No findings: no collision is known. */
	| ({readonly standing: 'compared'} & Omit<ComparedPair, 'notified'>);

/** Returns the result of comparing an agent with another one or with `target`, in either order. */
export const meetingOf = (state: State, one: string, other: string): Meeting => {
	if (one === other) {
		return {standing: 'same'};
	}

	const pair = pairsToCompare(state).find(({a, b}) =>
		[
			{a: one, b: other},
			{a: other, b: one},
		].some(wanted => isPair(wanted, {a, b})),
	);
	if (pair === undefined) {
		return {standing: 'not compared', why: whyNotCompared(state, [one, other])};
	}

	const {a, b} = pair;
	const known = state.compared.find(compared => isPair(compared, pair));
	const {findings = [], more = 0, unread = [], unchecked = [], failed} = known ?? {};
	return failed !== undefined && findings.length === 0
		? {standing: 'not compared', why: `The comparison failed: ${failed}`}
		: {standing: 'compared', a, b, findings, more, unread, unchecked, ...defined({failed})};
};

/** Returns the number of findings that block a merge, and the number of notes. */
export const weighed = ({
	findings,
	more,
}: Extract<Meeting, {standing: 'compared'}>): {
	readonly blocking: number;
	readonly notes: number;
} => {
	const blocking = findings.filter(finding => finding.blocking).length;
	return {blocking: blocking + more, notes: findings.length - blocking};
};

const whyNotCompared = (state: State, names: readonly string[]): string => {
	const {session} = state;
	const agents = names.flatMap(name => agentOf(state, name) ?? []);
	const gone = agents.find(agent => !isAtWork(agent));
	const idle = agents.find(agent => !hasWork(agent));
	if (session === null || session.ended) {
		return 'The session has ended; nothing is compared any more.';
	}

	if (gone !== undefined) {
		return `${gone.id} is no longer at work.`;
	}

	if (idle !== undefined) {
		return `${idle.id} has no work to compare yet.`;
	}

	const merging = mergedNow(state);
	if (agents.every(({id}) => merging.includes(id))) {
		return `${agents.map(({id}) => id).join(' and ')} ${agents.length === 1 ? 'is' : 'are'} being merged: the merge itself reports what collides.`;
	}

	const [one, other] = agents;
	if (one !== undefined && other !== undefined && areRivals(one.subtask, other.subtask)) {
		return 'They are rivals: you take the work of one of them.';
	}

	return names.includes('target')
		? `${agents.map(({id}) => id).join()} stands on the target as it is.`
		: 'One of them stands on the work of the other.';
};
