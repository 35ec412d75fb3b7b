import type {Plan} from '../../events/plan.ts';
import type {AgentProfile} from './fields.ts';

/** Reason why an agent can't be started, to follow a colon, and advice. */
export type MissingProgram = {readonly why: string; readonly hint: string};

/** Returns the reasons why agents of a plan can't be started, by agent id. */
export const missingAmong = (
	{agents}: Plan,
	environments: Readonly<Record<string, Readonly<Record<string, string>>>>,
	missingProgram: (agent: AgentProfile) => MissingProgram | undefined,
): ReadonlyMap<string, MissingProgram> =>
	new Map(
		agents.flatMap(({id, agent}) => {
			const missing = missingProgram({...agent, env: environments[id] ?? {}});
			return missing === undefined ? [] : [[id, missing] as const];
		}),
	);
