import type {State} from '../state.ts';
import type {Agent} from './agent.ts';

/** Share of a limit from which on a person is asked while the agent goes on. */
export const nearShare = 0.8;

/** How many turns in a row may come to nothing, besides those in which its model is tried again. */
const vainTurns = 10;

/** Returns how many turns of an agent may begin without a word of a person or a change in its worktree. */
export const mostTurnsInVain = ({session}: State): number =>
	vainTurns + (session?.settings.modelRetriesMs.length ?? 0);

/** Returns whether no turn of an agent begins any more before a person says something: whatever the cause, each is a whole prompt. */
export const isSpinning = (state: State, {turnsInVain}: Agent): boolean =>
	turnsInVain >= mostTurnsInVain(state);

/** What an agent tells of the tokens of a prompt; it may leave any of it out. */
export type ReportedTokens = {
	readonly input?: number;
	readonly output?: number;
	readonly total?: number;
};

/** Returns how many tokens that are in all. */
export const tokensReported = ({
	input = 0,
	output = 0,
	total = input + output,
}: ReportedTokens): number => total;

/** What an agent has used up of what it may. */
export type Budget = {readonly tokens?: number; readonly tokenBudget?: number};

/** Returns how far an agent is with the tokens that it may use. */
export const budgetStep = ({tokens = 0, tokenBudget}: Budget): 'within' | 'near' | 'over' => {
	if (tokenBudget === undefined || tokens < nearShare * tokenBudget) {
		return 'within';
	}

	return tokens < tokenBudget ? 'near' : 'over';
};

/** Returns why an agent is to say where it stands, as the reason for what follows. */
export const whyClosing = ({of}: NonNullable<Agent['closing']>): string =>
	of === 'tokens' ? 'its tokens are used up' : 'its time is used up';
