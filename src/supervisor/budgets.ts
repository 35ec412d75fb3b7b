import {z} from 'zod';
import type {Detail} from '../agents/acp/speech/activity.ts';
import type {Body} from '../events/event.ts';
import type {Agent} from '../state/agent/agent.ts';
import {budgetStep, tokensReported} from '../state/agent/budget.ts';
import {agentOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {readTelemetry} from './telemetry.ts';

export type Budgets = {
	/** Takes what an agent tells of itself. */
	readonly hear: (agent: string, turn: number, detail: Detail) => void;
};

/**
Counts the tokens that agents use up, and reports it when one comes near what its plan allows, or past that.

Each count is in the telemetry and only what changes something enters the journal; so a supervisor begins with what the telemetry holds.
*/
export const keepBudgets = async (
	telemetry: string,
	{state, report}: {readonly state: () => State; readonly report: (body: Body) => void},
): Promise<Budgets> => {
	const counts = await countsIn(telemetry);
	return {
		hear: (id, turn, detail) => {
			if (detail.kind !== 'tokens') {
				return;
			}

			const tokens = (counts.get(id) ?? 0) + tokensReported(detail);
			counts.set(id, tokens);
			const agent = agentOf(state(), id);
			if (agent !== undefined && isNews(state(), agent, tokens)) {
				report({kind: 'tokens.counted', agent: id, turn, tokens});
			}
		},
	};
};

/** Past its budget an agent is told of again and again, until it says where it stands or a person was asked about it. */
const isNews = (state: State, agent: Agent, tokens: number): boolean => {
	const step = budgetStep({...agent, tokens});
	const isAsked = state.items.some(
		item => item.kind === 'limit' && item.of === 'tokens' && item.agent === agent.id,
	);
	const isOpen = !isAsked && agent.outcome === undefined && agent.closing === undefined;
	return step !== budgetStep(agent) || (step === 'over' && isOpen);
};

const some = z.number().exactOptional();
const lineSchema = z.object({
	agent: z.string(),
	kind: z.literal('tokens'),
	input: some,
	output: some,
	total: some,
});

const countsIn = async (telemetry: string): Promise<Map<string, number>> => {
	const counts = new Map<string, number>();
	for await (const told of readTelemetry(telemetry, 'tokens', lineSchema)) {
		counts.set(told.agent, (counts.get(told.agent) ?? 0) + tokensReported(told));
	}

	return counts;
};
