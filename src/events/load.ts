/** What the processes of an agent use of the machine: bytes in memory, their number, milliseconds on the processor since they began, bytes on the disk with its worktree and its home, and bytes that it printed in a turn. */
export const loadKinds = ['memory', 'processes', 'cpu', 'disk', 'output'] as const;
export type LoadKind = (typeof loadKinds)[number];

/** How much of each it uses or may use, as far as that is known or limited. */
export type Load = {readonly [Kind in LoadKind]?: number};
