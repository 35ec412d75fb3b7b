import type {Body} from '../events/event.ts';

/** Moment of the failure: before any byte of an event is written, or after the whole event is written and before any reader sees it. */
type Side = 'before' | 'after';

/**
Ends this process as `kill -9` would, just before or just after an event is written, if the environment asks for it.

The remains of a crash depend on its moment: between an effect and its event, or between an event and its consequences. A test can't hit these from outside, so the safety suite names one: `DELEGATE_TUI_FAILPOINT=before:turn.started:2` is the moment before this process writes the start of a second turn. Without the variable this function does nothing.
*/
export const failpoint = (side: Side, events: readonly Pick<Body, 'kind'>[]): void => {
	if (point === undefined || point.side !== side) {
		return;
	}

	point.left -= events.filter(({kind}) => kind === point.kind).length;
	if (point.left <= 0) {
		process.kill(process.pid, 'SIGKILL');
	}
};

const pointOf = (name = '') => {
	const [, side, kind, count] = /^(before|after):([a-z.]+):(\d+)$/.exec(name) ?? [];
	return side === undefined ? undefined : {side, kind, left: Number(count)};
};

const point = pointOf(process.env.DELEGATE_TUI_FAILPOINT);
