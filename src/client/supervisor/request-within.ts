import {subjectText} from '../../control/caller.ts';
import type {Control} from '../../control/send.ts';
import type {Subject} from '../../control/subject.ts';
import {Failure} from '../../lib/failure.ts';
import {readProcess} from '../../lib/process/process-table.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {asFields, isString, itemsAre} from '../../lib/values.ts';

/** Time limit of an answer, in milliseconds. */
const patienceMs = 120_000;

/** Time limit of requests that make worktrees or run the person's git, in milliseconds; the supervisor ends a hanging git. */
const slowMs = 30 * 60_000;

const slow: readonly Asked['do'][] = ['start', 'undo', 'push'];

/**
Sends a request to a supervisor, with a time limit for the answer.

@throws `Failure` of kind `missing` that names the request, besides those of `request`; it may be carried out nevertheless.
*/
export const requestWithin = async (
	control: Control,
	request: Asked,
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

const unanswered = (control: Control, request: Asked, limitMs: number): Failure => {
	const pid = pidOf(control);
	const who = pid === undefined ? 'The supervisor' : `The supervisor (process ${pid})`;
	const isStopped = pid !== undefined && readProcess(pid)?.isStopped === true;
	return new Failure(
		'missing',
		`${who} was asked to ${wordsOf(request)} and has not answered within ${formatDuration(limitMs)}.`,
		{
			hint: isStopped
				? `it was stopped as by Ctrl-Z; kill -CONT ${pid} lets it go on, and then it carries the request out`
				: 'it may still do so; see delegate-tui log before you ask again',
		},
	);
};

/** Returns a request in words, to follow "was asked to". */
const wordsOf = (request: Asked): string => {
	switch (request.do) {
		case 'decide':
			return `decide ${request.item}: ${request.choice}`;
		case 'show':
			return `show ${subjectText(request.what)}`;
		case 'steer':
			return `steer ${request.agent}`;
		case 'capture':
			return `take a snapshot of ${request.agent}`;
		default:
			return plainRequests[request.do];
	}
};

/** Requests whose further fields no message repeats, in words. */
const plainRequests = {
	answer: 'take answers',
	'by-hand': 'keep what was resolved by hand',
	add: 'add an agent',
	merge: 'merge accepted work now',
	withdraw: 'withdraw an allowance',
	start: 'start a session',
	stop: 'end the session',
	wait: 'tell what it has found',
	undo: 'undo or redo the last merge',
	push: 'write down what is pushed',
};

/** A request to the supervisor, with the fields that messages repeat; the supervisor validates all of it. */
export type Asked = Named & {readonly id?: never; readonly [field: string]: unknown};

type Named =
	| {readonly do: 'decide'; readonly item: string; readonly choice: string}
	| {readonly do: 'show'; readonly what: Subject}
	| {readonly do: 'steer' | 'capture'; readonly agent: string}
	| {readonly do: keyof typeof plainRequests};

/** Sends a request to the supervisor, and returns its answer, or throws the `Failure` in it. */
export type Ask = (request: Asked) => Promise<unknown>;

const areTexts = itemsAre(isString);

/** Returns the doubts for which the supervisor held a decision up; nothing if the decision stands. */
export const doubtsIn = (answer: unknown): readonly string[] | undefined => {
	const {doubts} = asFields(asFields(answer).event);
	return areTexts(doubts) ? doubts : undefined;
};

/** Returns the process at the other end, by the file that it gave us to hold open; nothing without a process table. */
export const pidOf = ({hello}: Control): number | undefined => {
	const pid = /^\/proc\/(\d+)\/fd\/\d+$/.exec(hello.hold ?? '')?.[1];
	return pid === undefined ? undefined : Number(pid);
};
