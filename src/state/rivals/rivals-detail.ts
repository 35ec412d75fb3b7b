import type {AgentState} from '../../events/event.ts';
import {type Agent, lastSnapshot} from '../agent/agent.ts';
import {checkOfWork, wrongClaims} from '../agent/compared.ts';
import {agentOf} from '../select.ts';
import type {State} from '../state.ts';
import {rivalsOf} from './rivals.ts';

export type RivalDetail = {
	readonly agent: string;
	/** Profile or program. */
	readonly by: string;
	readonly state: AgentState;
	/** Result of the plan's checks on this work alone. */
	readonly verify: 'passed' | 'failed' | 'could not be run' | 'not run';
	readonly files: number;
	readonly added: number;
	readonly removed: number;
	/** Number of scope violations, reverted or refused. */
	readonly outside: number;
	readonly wrong: number;
	readonly findings: number;
	readonly worked_ms: number;
	/** Tokens used, if reported. */
	readonly tokens: number | null;
	/** Cost by currency. */
	readonly cost: Readonly<Record<string, number>> | null;
};

/** Works of the same subtask, for comparison; absent if only one agent has it. */
export type RivalsDetail = {readonly rivals?: readonly RivalDetail[]};

/** Returns an agent's work beside those of its rivals, in the order of the plan; usage is in no event. */
export const rivalsDetail = (state: State, id: string): RivalsDetail => {
	const agent = agentOf(state, id);
	const rivals = rivalsOf(state, id);
	return agent === undefined || rivals.length === 0
		? {}
		: {
				rivals: state.agents
					.filter(one => one === agent || rivals.includes(one))
					.map(one => rivalDetail(one)),
			};
};

/** Adds usage to rivals, as far as they report it. */
export const rivalsWithSpent = (
	rivals: readonly RivalDetail[],
	spentBy: (agent: string) => Spent | undefined,
): readonly RivalDetail[] =>
	rivals.map(rival => {
		const {tokens = 0, cost = {}} = spentBy(rival.agent) ?? {};
		return {
			...rival,
			tokens: tokens === 0 ? rival.tokens : tokens,
			cost: Object.keys(cost).length === 0 ? rival.cost : cost,
		};
	});

type Spent = {readonly tokens: number; readonly cost: Readonly<Record<string, number>>};

const rivalDetail = (agent: Agent): RivalDetail => {
	const {id, subtask, state, violationCounts, updates, workedMs} = agent;
	const {files = 0, lines} = lastSnapshot(agent) ?? {};
	return {
		agent: id,
		by: subtask.profile ?? subtask.agent.command.join(' '),
		state,
		verify: verifyOf(agent),
		files,
		added: lines?.added ?? 0,
		removed: lines?.removed ?? 0,
		outside: violationCounts.reverted + violationCounts.blocked,
		wrong: wrongClaims(agent).length,
		findings: updates.findings.length,
		worked_ms: workedMs,
		tokens: agent.tokens ?? null,
		cost: null,
	};
};

const verifyOf = (agent: Agent): RivalDetail['verify'] => {
	const ok = checkOfWork(agent)?.ok;
	return ok === undefined ? 'not run' : ok === null ? 'could not be run' : ok ? 'passed' : 'failed';
};
