/** Resources that an agent's processes use: bytes in memory, their number, milliseconds of processor time since they started, bytes on the disk with its worktree and its home, and bytes of output in a turn. */
export const loadKinds = ['memory', 'processes', 'cpu', 'disk', 'output'] as const;
export type LoadKind = (typeof loadKinds)[number];

/** Amount of each resource, as far as it is known or limited. */
export type Load = {readonly [Kind in LoadKind]?: number};
