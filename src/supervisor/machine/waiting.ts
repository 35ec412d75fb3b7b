import type {BodyOf} from '../../events/event.ts';
import type {Wait} from '../../git/process/patience.ts';

/** Tells what a git in the person's checkout waits for, or that it waits no more. */
export const waiting = (wait: Wait | undefined): BodyOf<'machine.waiting'> => ({
	kind: 'machine.waiting',
	git: wait ?? null,
});
