import type {Agent, Outcome} from './agent.ts';

/** Takes an agent's work into the merge as it stands: a worktree that was still to be set back stays as it is. */
export const accept = ({restore: _, ...agent}: Agent, only: readonly string[] = []): Agent => ({
	...agent,
	verdict: {kind: 'accepted', only},
});

/** Ends an agent's work by a person's word in place of its own. */
export const outcomeByPerson = (why: string): Outcome => ({to: 'COMPLETE', why, by: 'person'});
