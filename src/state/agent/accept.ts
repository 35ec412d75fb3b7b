import {omit} from '../../lib/omit.ts';
import type {Agent, Outcome, Verdict} from './agent.ts';

/** What of an agent's work is taken, where that is not all of it. */
export type Taken = Partial<Omit<Extract<Verdict, {kind: 'accepted'}>, 'kind'>>;

/** Takes an agent's work into the merge as it stands: a worktree that was still to be set back stays as it is. */
export const accept = (agent: Agent, {only = [], ...taken}: Taken = {}): Agent => ({
	...omit(agent, 'restore'),
	verdict: {kind: 'accepted', only, ...taken},
});

/** Ends an agent's work by a person's word in place of its own. */
export const outcomeByPerson = (why: string): Outcome => ({to: 'COMPLETE', why, by: 'person'});
