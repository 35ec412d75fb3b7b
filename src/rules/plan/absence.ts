import type {Plan} from '../../events/plan.ts';
import type {AgentProfile} from './fields.ts';

/** Why an agent can't be started, as what follows a colon, and what helps. */
export type Absence = {readonly why: string; readonly hint: string};

/** Returns why agents of a plan can't be started, by their ids, as far as any can't. */
export const absentAmong = (
	{agents}: Plan,
	environments: Readonly<Record<string, Readonly<Record<string, string>>>>,
	absenceOf: (agent: AgentProfile) => Absence | undefined,
): ReadonlyMap<string, Absence> =>
	new Map(
		agents.flatMap(({id, agent}) => {
			const absence = absenceOf({...agent, env: environments[id] ?? {}});
			return absence === undefined ? [] : [[id, absence] as const];
		}),
	);
