import type {Finding} from '../events/finding.ts';
import type {Agent} from '../state/agent/agent.ts';
import {type ComparedPair, isPair} from '../state/agent/compared.ts';
import {isGivenUp, lastSnapshot} from '../state/select.ts';
import type {State} from '../state/state.ts';
import type {Notice} from './notices.ts';

/** Two sides to compare while agents are at work; each side with the commit that holds its work. */
export type WorkPair = {
	readonly a: string;
	readonly b: string;
	readonly commits: {
		/** What both are measured against; absent where they stand on different commits. */
		readonly base?: string;
		readonly a: string;
		readonly b: string;
	};
};

/**
Returns whose work is to be compared now: each agent with each other one, and with a target that has moved.

Work that stands on other work has that in it already. Once all of a pair is accepted the merge itself tells what collides, and asks a person.
*/
export const pairsToCompare = (state: State): readonly WorkPair[] => {
	const {session} = state;
	if (session === null || session.ended) {
		return [];
	}

	const agents = state.agents.filter(
		agent => agent.arbitrates === undefined && isAtWork(agent) && hasWork(agent),
	);
	return agents.flatMap((a, position) => [
		...agents.slice(position + 1).flatMap(b => pairOf(a, b)),
		...withTarget(a, session.tip),
	]);
};

/** Returns what collides now between agents at work, or with the target. */
export const liveCollisions = (state: State): readonly ComparedPair[] => {
	const pairs = pairsToCompare(state);
	return state.compared.filter(
		compared => compared.findings.length > 0 && pairs.some(pair => isPair(pair, compared)),
	);
};

/** A collision as one of its two agents sees it. */
export type Seen = {readonly other: string; readonly side: 'a' | 'b'; readonly finding: Finding};

/** Returns what collides with an agent's work now. */
export const collisionsOf = (state: State, agent: string): readonly Seen[] =>
	liveCollisions(state).flatMap(({a, b, findings}): readonly Seen[] =>
		a === agent
			? findings.map(finding => ({other: b, side: 'a', finding}))
			: b === agent
				? findings.map(finding => ({other: a, side: 'b', finding}))
				: [],
	);

/** Returns those of them that the agent was not told of. */
export const unreportedCollisions = (state: State, agent: string): readonly Seen[] => {
	const told = liveCollisions(state)
		.flatMap(pair => pair.told)
		.filter(one => one.agent === agent)
		.map(({key}) => key);
	return collisionsOf(state, agent).filter(({finding}) => !told.includes(finding.key));
};

/** Returns what collides as notices: nobody has to decide anything yet. */
export const collisionNotices = (state: State): readonly Notice[] =>
	liveCollisions(state).map(({a, b, findings, more}) => {
		const others = findings.length + more - 1;
		const [first] = findings;
		return {
			level: 'warn',
			text: `${a} and ${b} collide: ${first?.summary ?? ''}${others > 0 ? ` And ${others} more.` : ''}`,
		};
	});

/** Returns whether an agent may still change its work or bring it into the merge. */
export const isAtWork = (agent: Agent): boolean =>
	!isGivenUp(agent) && agent.state !== 'FAILED' && agent.state !== 'MERGED';

/** Returns whether an agent's work was accepted into the merge. */
export const isAccepted = ({verdict}: Agent): boolean => verdict.kind === 'accepted';

/** Returns whether an agent has changed anything, by its last snapshot. */
export const hasWork = (agent: Agent): boolean => (lastSnapshot(agent)?.files ?? 0) > 0;

const pairOf = (a: Agent, b: Agent): readonly WorkPair[] => {
	const [one, other] = [lastSnapshot(a), lastSnapshot(b)];
	if (
		one === undefined ||
		other === undefined ||
		(isAccepted(a) && isAccepted(b)) ||
		one.ground.onto.includes(b.id) ||
		other.ground.onto.includes(a.id)
	) {
		return [];
	}

	const base = one.ground.base === other.ground.base ? {base: one.ground.base} : {};
	return [{a: a.id, b: b.id, commits: {...base, a: one.work, b: other.work}}];
};

const withTarget = (agent: Agent, tip: string): readonly WorkPair[] => {
	const snapshot = lastSnapshot(agent);
	return snapshot === undefined || snapshot.ground.base === tip || isAccepted(agent)
		? []
		: [
				{
					a: agent.id,
					b: 'target',
					commits: {base: snapshot.ground.base, a: snapshot.work, b: tip},
				},
			];
};
