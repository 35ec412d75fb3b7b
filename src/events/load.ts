import {z} from 'zod';

/** What the processes of an agent use of the machine: bytes in memory, their number, milliseconds on the processor in a turn, bytes on the disk with its worktree and its home, and bytes that it printed in a turn. */
export const loadKinds = ['memory', 'processes', 'cpu', 'disk', 'output'] as const;
export type LoadKind = (typeof loadKinds)[number];

const some = z.number().min(1).exactOptional();

/** How much of each it uses or may use, as far as that is known or limited. */
export const load = z.strictObject({
	...{memory: some, processes: some, cpu: some, disk: some, output: some},
} satisfies Readonly<Record<LoadKind, typeof some>>);

export type Load = Readonly<z.infer<typeof load>>;
