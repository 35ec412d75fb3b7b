import type {Subject} from '../../control/subject.ts';

/** What a supervisor is asked, with as much of it as people are told again; the supervisor itself reads and judges all of it. */
export type Asked = Named & {readonly id?: never; readonly [field: string]: unknown};

type Named =
	| {readonly do: 'decide'; readonly item: string; readonly choice: string}
	| {readonly do: 'show'; readonly what: Subject}
	| {readonly do: 'steer' | 'capture'; readonly agent: string}
	| {readonly do: 'answer' | 'by-hand' | 'add' | 'withdraw' | 'start' | 'stop' | 'wait' | 'undo'};

/** Asks the supervisor one thing, and returns its answer, or throws the `Failure` that it answers with. */
export type Ask = (request: Asked) => Promise<unknown>;
