import type {MachineChange} from '../../events/kinds/machine-event.ts';
import type {Wait} from '../../git/process/patience.ts';

/** Tells what a git in the person's checkout waits for, or that it waits no more. */
export const waiting = (wait: Wait | undefined): MachineChange<'waiting'> => ({
	kind: 'machine.changed',
	what: 'waiting',
	git: wait ?? null,
});
