import type {Control} from '../../control/send.ts';
import {Failure} from '../../lib/failure.ts';
import {readProcess} from '../../lib/process/process-table.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {pidOf} from './pid-of.ts';

/** How long an answer is waited for, in milliseconds. */
const patienceMs = 120_000;

/** A start lays out worktrees, and an undo goes at the pace of the person's git; one that stands still is ended by the supervisor. */
const slowMs = 30 * 60_000;

const slow: readonly unknown[] = ['start', 'undo'];

/**
Asks a supervisor one thing, and waits no longer for the answer than that can take.

@throws `Failure` of kind `missing` that names what was waited for, besides those of `request`; it may be done all the same
*/
export const requestWithin = async (
	control: Control,
	request: Readonly<Record<string, unknown>> & {readonly id?: never},
	limitMs: number = slow.includes(request.do) ? slowMs : patienceMs,
): Promise<unknown> => {
	const over = Promise.withResolvers<never>();
	const timer = setTimeout(() => over.reject(unanswered(control, request, limitMs)), limitMs);
	try {
		return await Promise.race([control.request(request), over.promise]);
	} finally {
		clearTimeout(timer);
	}
};

const unanswered = (
	control: Control,
	request: Readonly<Record<string, unknown>>,
	limitMs: number,
): Failure => {
	const pid = pidOf(control);
	const who = pid === undefined ? 'The supervisor' : `The supervisor (process ${pid})`;
	const isStopped = pid !== undefined && readProcess(pid)?.isStopped === true;
	return new Failure(
		'missing',
		`${who} was asked to ${wordsOf(request)} and has not answered within ${formatDuration(limitMs)}.`,
		{
			hint: isStopped
				? `it was stopped as by Ctrl-Z; kill -CONT ${pid} lets it go on, and then it does what it was asked`
				: 'it may do so yet; see delegate-tui log before you ask again',
		},
	);
};

/** A request in words, to go on behind "was asked to". */
const wordsOf = (request: Readonly<Record<string, unknown>>): string => {
	const {do: action, item, choice, what} = request;
	const actions: Readonly<Record<string, string>> = {
		decide: `decide ${item}: ${choice}`,
		show: `show ${what}`,
		add: 'add an agent',
		stop: 'end the session',
		start: 'start a session',
		undo: 'undo or redo the last merge',
	};
	return actions[String(action)] ?? String(action);
};
