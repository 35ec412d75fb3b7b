import type {Settings} from '../../events/event.ts';

/** What the processes of an agent use of the machine: bytes in memory, and their number. */
export type Load = Readonly<Record<LoadKind, number>>;

export const loadKinds = ['memory', 'processes'] as const;
export type LoadKind = (typeof loadKinds)[number];

type InSession = {readonly session: {readonly settings: Pick<Settings, 'load'>} | null};

/** Returns how much of each an agent may use: what the config says, or what a person raised that to. */
export const allowedLoad = (
	{session}: InSession,
	{loadBudget}: {readonly loadBudget?: Partial<Load>},
	of: LoadKind,
): number => loadBudget?.[of] ?? session?.settings.load?.[of] ?? Number.POSITIVE_INFINITY;
