import {describe, expect, it} from 'vitest';
import type {AgentState} from '../../src/events/event.ts';
import {newAgent} from '../../src/state/agent/agent.ts';
import {apply} from '../../src/state/apply/apply.ts';
import {legalMoves} from '../../src/state/apply/apply-agent.ts';
import {agentOf} from '../../src/state/select.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {planOf, sessionStarted, subtask} from '../helpers/plan.ts';

/*
PROTOCOL's table of states, drawn by hand: a row is where an agent is, a column where it goes.
X stands for a move, a dot for one that is refused.
*/
const columns: readonly AgentState[] = [
	'PENDING',
	'SPAWNING',
	'RUNNING',
	'CHECKPOINT',
	'COMPLETE',
	'FAILED',
	'MERGED',
	'ABORTED',
];

const table: Readonly<Record<AgentState, string>> = {
	//          PEN SPA RUN CHE COM FAI MER ABO
	PENDING: '   .   X   .   .   .   .   .   X ',
	SPAWNING: '  .   .   X   .   .   X   .   X ',
	RUNNING: '   .   .   .   X   X   X   .   X ',
	CHECKPOINT: '.   .   X   .   X   X   .   X ',
	COMPLETE: '  .   .   X   .   .   .   X   X ',
	FAILED: '    .   X   .   .   .   .   X   X ',
	MERGED: '    .   .   .   .   X   .   .   . ',
	ABORTED: '   .   .   .   .   .   .   .   . ',
};

const cells = columns.flatMap(from =>
	columns.map((to, column) => ({
		from,
		to,
		legal: table[from].trim().split(/\s+/)[column] === 'X',
	})),
);

/** A state in which one agent is where the row says, beside another one that no move concerns. */
const stateAt = (from: AgentState): State => {
	const at = '2026-01-01T00:00:00.000Z';
	const plan = planOf([subtask('AGT-001'), subtask('AGT-002')]);
	const started = apply(emptyState, {...sessionStarted(plan), seq: 1, at});
	const agents = plan.agents.map(subtask => newAgent(subtask, started.awake));
	return {
		...started,
		agents: agents.map(agent => (agent.id === 'AGT-001' ? {...agent, state: from} : agent)),
	};
};

const moved = (state: State, from: AgentState, to: AgentState, agent = 'AGT-001'): State =>
	apply(state, {
		kind: 'agent.moved',
		agent,
		from,
		to,
		why: 'told',
		seq: state.seq + 1,
		at: '2026-01-01T00:00:01.000Z',
	});

/** What a state says besides how many events it has seen. */
const withoutCount = ({seq: _, at: __, awake: ___, ...state}: State) => state;

describe('the table of states', () => {
	it('has the eight states and no others', () => {
		expect(Object.keys(legalMoves).toSorted()).toEqual([...columns].toSorted());
		expect(cells).toHaveLength(64);
		expect(cells.filter(({legal}) => legal)).toHaveLength(20);
	});

	it.each(cells)('says that $from to $to is legal: $legal', ({from, to, legal}) => {
		expect(legalMoves[from].includes(to)).toBe(legal);
	});
});

describe('apply', () => {
	it.each(cells.filter(({legal}) => legal))('moves an agent from $from to $to', ({from, to}) => {
		const agent = agentOf(moved(stateAt(from), from, to), 'AGT-001');
		expect(agent).toMatchObject({state: to, why: 'told', since: '2026-01-01T00:00:01.000Z'});
	});

	it.each(cells.filter(({legal}) => !legal))(
		'changes nothing when $from to $to is told',
		({from, to}) => {
			const state = stateAt(from);
			expect(withoutCount(moved(state, from, to))).toEqual(withoutCount(state));
		},
	);

	it.each(cells.filter(({legal}) => legal))(
		'changes nothing when $from to $to is told of an agent that is elsewhere',
		({from, to}) => {
			const elsewhere = stateAt(from === 'PENDING' ? 'RUNNING' : 'PENDING');
			expect(withoutCount(moved(elsewhere, from, to))).toEqual(withoutCount(elsewhere));
		},
	);

	it('changes nothing when a move of an unknown agent is told', () => {
		const state = stateAt('PENDING');
		const after = moved(state, 'PENDING', 'SPAWNING', 'AGT-009');
		expect(withoutCount(after)).toEqual(withoutCount(state));
	});

	it('moves no other agent', () => {
		const state = stateAt('PENDING');
		const after = moved(state, 'PENDING', 'SPAWNING');
		expect(agentOf(after, 'AGT-002')).toEqual(agentOf(state, 'AGT-002'));
	});
});
