import type {Plan} from '../../events/plan.ts';
import type {AgentProfile} from './fields.ts';

/** Why an agent can't be started, as what follows a colon, and what helps. */
export type MissingProgram = {readonly why: string; readonly hint: string};

/** Returns why agents of a plan can't be started, by their ids, as far as any can't. */
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
