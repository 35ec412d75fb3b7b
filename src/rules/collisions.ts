import type {Finding} from '../events/finding.ts';
import {inShell} from '../lib/text/shell-words.ts';
import {type Agent, lastSnapshot} from '../state/agent/agent.ts';
import {isPair} from '../state/agent/compared.ts';
import {mergedNow} from '../state/merge/members.ts';
import {areRivals} from '../state/rivals/rivals.ts';
import {isGivenUp} from '../state/select.ts';
import type {ComparedPair, State} from '../state/state.ts';
import type {Notice} from './notices.ts';

/** Two sides to compare while agents are working, each with the commit of its work. */
export type WorkPair = {
	readonly a: string;
	readonly b: string;
	readonly commits: {
		/** Common base; absent if they have different bases. */
		readonly base?: string;
		readonly a: string;
		readonly b: string;
	};
};

/**
Returns the pairs to compare now: each agent with each other one, and with a target that has moved.

Work stacked on other work contains it already, and of rivals only one is merged. Once both of a pair are being merged, the merge itself finds collisions and asks a person.
*/
export const pairsToCompare = (state: State): readonly WorkPair[] => {
	const {session} = state;
	if (session === null || session.ended) {
		return [];
	}

	const merging = mergedNow(state);
	const agents = state.agents.filter(
		agent => agent.arbitrates === undefined && isAtWork(agent) && hasWork(agent),
	);
	return agents.flatMap((a, position) => {
		const isMerging = merging.includes(a.id);
		const others = agents.slice(position + 1).filter(b => !isMerging || !merging.includes(b.id));
		return [...others.flatMap(b => pairOf(a, b)), ...(isMerging ? [] : withTarget(a, session.tip))];
	});
};

/** Returns the findings between working agents, or with the target, that would block a merge now. */
export const liveCollisions = (state: State): readonly ComparedPair[] =>
	livePairs(state).flatMap(pair => {
		const findings = pair.findings.filter(
			finding => finding.blocking && !isFromBelow(state, pair, finding),
		);
		return findings.length === 0 ? [] : [{...pair, findings}];
	});

/** Returns whether a finding belongs to work that one of the pair is stacked on: it is then reported for the owner of that work. */
const isFromBelow = (state: State, {a, b}: ComparedPair, {key}: Finding): boolean => {
	const isOf = (below: string, other: string): boolean =>
		livePairs(state).some(
			pair =>
				[pair.a, pair.b].every(name => name === below || name === other) &&
				pair.findings.some(finding => finding.key === key),
		);
	return (
		ontoOf(state, a).some(below => isOf(below, b)) || ontoOf(state, b).some(below => isOf(below, a))
	);
};

const ontoOf = (state: State, id: string): readonly string[] => {
	const agent = state.agents.find(one => one.id === id);
	return (agent && lastSnapshot(agent)?.startingPoint.onto) ?? [];
};

/** The same code written by two agents: nothing breaks, but the work of one is wasted. */
type DoneTwice = {readonly a: string; readonly b: string; readonly finding: Finding};

const doneTwice = (state: State): readonly DoneTwice[] =>
	livePairs(state).flatMap(({a, b, findings}) =>
		b === 'target'
			? []
			: findings.filter(({rule}) => rule === 'A9').map(finding => ({a, b, finding})),
	);

/** Returns the command with which a person tells one of two agents to leave the duplicate out. */
const messageToStop = ({a, b, finding}: DoneTwice, to: string): string => {
	const [own, others] = to === a ? (['a', 'b'] as const) : (['b', 'a'] as const);
	const linesIn = (side: 'a' | 'b'): string =>
		finding.evidence
			.filter(one => one.side === side)
			.map(({path, line}) => (line === undefined ? path : `${path}:${line}`))
			.join(', ');
	const words = `${to === a ? b : a} wrote the same, in ${linesIn(others)}. Leave out yours in ${linesIn(own)}, and go on with the rest of your task.`;
	return `delegate-tui agent ${to} message ${inShell(words)}`;
};

const livePairs = (state: State): readonly ComparedPair[] => {
	const pairs = pairsToCompare(state);
	return state.compared.filter(compared => pairs.some(pair => isPair(pair, compared)));
};

/** A collision from the point of view of one of its two agents. */
export type SeenCollision = {
	readonly other: string;
	readonly side: 'a' | 'b';
	readonly finding: Finding;
};

/** Returns the current collisions of an agent's work. */
export const agentCollisions = (state: State, agent: string): readonly SeenCollision[] =>
	liveCollisions(state).flatMap(({a, b, findings}): readonly SeenCollision[] =>
		a === agent
			? findings.map(finding => ({other: b, side: 'a', finding}))
			: b === agent
				? findings.map(finding => ({other: a, side: 'b', finding}))
				: [],
	);

/** Returns an agent's collisions as sentences, for a person who is about to accept its work. */
export const collisionWords = (state: State, agent: string): readonly string[] => {
	const seen = agentCollisions(state, agent);
	return [
		...seen
			.slice(0, mostTold)
			.map(
				({other, finding}) =>
					`It collides with ${other === 'target' ? 'the target' : other}: ${finding.summary}`,
			),
		...(seen.length > mostTold ? [`It collides in ${seen.length - mostTold} more ways.`] : []),
	];
};

/** Maximum number of sentences; further ones are only counted, since the matrix lists them all. */
const mostTold = 5;

export const unreportedCollisions = (state: State, agent: string): readonly SeenCollision[] => {
	const told = liveCollisions(state)
		.flatMap(pair => pair.notified)
		.filter(one => one.agent === agent)
		.map(({key}) => key);
	return agentCollisions(state, agent).filter(({finding}) => !told.includes(finding.key));
};

/** Returns collisions and duplicates as notices: they need no decision yet. */
export const collisionNotices = (state: State): readonly Notice[] => [
	...liveCollisions(state).map(({a, b, findings, more}): Notice => {
		const others = findings.length + more - 1;
		const [first] = findings;
		return {
			level: 'warn',
			text: `${a} and ${b} collide: ${first?.summary ?? ''}${others > 0 ? ` And ${others} more.` : ''}`,
		};
	}),
	...doneTwice(state).map((twice): Notice => {
		const {a, b, finding} = twice;
		return {
			level: 'info',
			text: `${a} and ${b} do the same: ${finding.summary}`,
			hints: [a, b].map(agent => messageToStop(twice, agent)),
		};
	}),
];

/** Returns whether an agent can still change its work or bring it into the merge. */
export const isAtWork = (agent: Agent): boolean =>
	!isGivenUp(agent) && agent.state !== 'FAILED' && agent.state !== 'MERGED';

/** Returns whether an agent's last snapshot has changed files. */
export const hasWork = (agent: Agent): boolean => (lastSnapshot(agent)?.files ?? 0) > 0;

const pairOf = (a: Agent, b: Agent): readonly WorkPair[] => {
	const [one, other] = [lastSnapshot(a), lastSnapshot(b)];
	if (
		one === undefined ||
		other === undefined ||
		areRivals(a.subtask, b.subtask) ||
		one.startingPoint.onto.includes(b.id) ||
		other.startingPoint.onto.includes(a.id)
	) {
		return [];
	}

	const base =
		one.startingPoint.base === other.startingPoint.base ? {base: one.startingPoint.base} : {};
	return [{a: a.id, b: b.id, commits: {...base, a: one.work, b: other.work}}];
};

const withTarget = (agent: Agent, tip: string): readonly WorkPair[] => {
	const snapshot = lastSnapshot(agent);
	if (snapshot === undefined || snapshot.startingPoint.base === tip) {
		return [];
	}

	const {base, onto} = snapshot.startingPoint;
	// The target did not remove the work of other agents below this one; git finds the merge base under them.
	const below = onto.length === 0 ? {base} : {};
	return [{a: agent.id, b: 'target', commits: {...below, a: snapshot.work, b: tip}}];
};
