import type {Body} from '../events/event.ts';

/** Moment of an event: before any of it is written, or after all of it is and before anyone is told. */
type Side = 'before' | 'after';

/**
Ends this process as `kill -9` would, just before or just after an event is written, where the environment says so.

What a crash leaves behind depends on the moment: between an effect and its event, or between an event and what it leads to. No one outside can hit those, so the safety suite names one: `DELEGATE_TUI_FAILPOINT=before:turn.started:2` is the moment before this process writes the start of a second turn. Without the variable nothing happens here.
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
