import {type Load, type LoadKind, loadKinds} from '../../events/load.ts';
import type {Settings} from '../../events/settings.ts';
import type {LimitItem} from '../item.ts';

type InSession = {readonly session: {readonly settings: Pick<Settings, 'load'>} | null};

type Limited = {readonly subtask: {readonly limits?: Load}; readonly loadBudget?: Load};

/** Returns the planned limit of an agent's resource, from its subtask or the config; a person's extension adds the same amount. */
export const plannedLoad = (
	{session}: InSession,
	{subtask}: Pick<Limited, 'subtask'>,
	of: LoadKind,
): number => subtask.limits?.[of] ?? session?.settings.load?.[of] ?? Number.POSITIVE_INFINITY;

/** Returns the current limit of an agent's resource. */
export const allowedLoad = (state: InSession, agent: Limited, of: LoadKind): number =>
	agent.loadBudget?.[of] ?? plannedLoad(state, agent, of);

type LoadLimit = LoadKind | `${LoadKind}-near`;

/** Returns the resource of a limit, if it is one of processes. */
export const loadKindOf = (of: LoadLimit): LoadKind =>
	loadKinds.find(kind => of === kind || of === `${kind}-near`) ?? 'memory';

export const isOfLoad = (of: LimitItem['of']): of is LoadLimit =>
	loadKinds.some(kind => of === kind || of === `${kind}-near`);
