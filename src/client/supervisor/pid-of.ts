import type {Control} from '../../control/send.ts';

/** Returns the process at the other end, by the file that it gave us to hold open; nothing where the system has no table of processes. */
export const pidOf = ({hello}: Control): number | undefined => {
	const pid = /^\/proc\/(\d+)\/fd\/\d+$/.exec(hello.hold ?? '')?.[1];
	return pid === undefined ? undefined : Number(pid);
};
