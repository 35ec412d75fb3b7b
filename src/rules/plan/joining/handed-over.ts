import type {Plan} from '../../../events/plan.ts';

/** Returns a plan as it is once an agent's subtask was given to another one, which isn't in it yet: whoever waited for the first waits for the other. */
export const handedOver = (plan: Plan, from: string, to: string): Plan => ({
	...plan,
	agents: plan.agents
		.filter(({id}) => id !== from)
		.map(agent => ({...agent, after: agent.after.map(id => (id === from ? to : id))})),
});
