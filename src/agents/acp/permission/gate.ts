import type {RequestPermissionResponse, StopReason} from '@agentclientprotocol/sdk';
import type {Permit} from '../../../events/reply.ts';
import {defined} from '../../../lib/values.ts';
import {isOwnTool, type ToolCall} from '../speech/tool-call.ts';
import {type AskedPermission, cancelled, responseTo, titledCommand} from './permission-request.ts';

/** A permission request. */
export type Request = Pick<ToolCall, 'title' | 'kind' | 'paths' | 'command'> & {
	/** Number of the request within its turn, from 1. */
	readonly number: number;
	/** Kind of its tool, if permission is asked for something else; see `kindsOf`. */
	readonly about?: ToolCall['kind'];
};

/** Answer of the rules; `ask` leaves the request to a person under that id. */
export type Ruling =
	| {readonly kind: 'allow'}
	| {readonly kind: 'refuse'; readonly why: string}
	| {readonly kind: 'ask'; readonly request: string};

export type Refusal = {readonly title: string; readonly why: string};

/** Holds an agent's permission requests until they are answered. */
export type Gate = {
	readonly ask: (
		asked: AskedPermission,
		call: ToolCall | undefined,
	) => Promise<RequestPermissionResponse>;
	/** Answers requests that wait for a person. */
	readonly permit: (permits: readonly Permit[]) => void;
	/** Records that the agent has started another action, so earlier refusals didn't stop it. */
	readonly goOn: () => void;
	/** Records that the agent was told during its turn why these were refused. */
	readonly explained: (refusals: readonly Refusal[]) => void;
	/** Returns the refusals that may have made the agent stop, and that it wasn't told about. */
	readonly takeUnexplained: (stopReason: StopReason) => readonly Refusal[];
	/** Cancels all waiting and future requests. */
	readonly close: () => void;
};

type Decision = {readonly allowed: boolean; readonly note?: string} | 'closed';

/** Creates the gate of one turn; calls of our own tools, by the names of their servers, need no permission. The agent is only told that a request was refused; the reason goes to `onRefused`. */
export const createGate = (
	rule: (request: Request) => Promise<Ruling>,
	ownServers: readonly string[],
	onRefused: (refusal: Refusal) => void = () => {},
): Gate => {
	const waiting = new Map<string, (decision: Decision) => void>();
	let number = 0;
	let closed = false;
	let refused: readonly Refusal[] = [];
	let told: readonly Refusal[] = [];
	let isOver = true;

	const refuse = (asked: AskedPermission, refusal: Refusal): RequestPermissionResponse => {
		refused = [...refused, refusal];
		onRefused(refusal);
		isOver = false;
		return responseTo(asked, 'reject_once');
	};

	const allow = (asked: AskedPermission, title: string): RequestPermissionResponse => {
		const answer = responseTo(asked, 'allow_once');
		return answer === cancelled
			? refuse(asked, {title, why: 'it could not be allowed only once'})
			: answer;
	};

	const decided = (request: string): Promise<Decision> =>
		new Promise(resolve => {
			waiting.set(request, resolve);
		});

	return {
		ask: async (asked, call) => {
			if (closed || call === undefined) {
				return cancelled;
			}

			if (isOwnTool(ownServers, asked, call)) {
				return allow(asked, call.title);
			}

			number += 1;
			const {title, paths} = call;
			const command = call.command ?? titledCommand(asked, call);
			const ruling = await rule(defined({number, title, ...kindsOf(asked, call), paths, command}));
			if (ruling.kind !== 'ask') {
				return ruling.kind === 'allow'
					? allow(asked, title)
					: refuse(asked, {title, why: ruling.why});
			}

			const decision = closed ? 'closed' : await decided(ruling.request);
			waiting.delete(ruling.request);
			if (decision === 'closed') {
				return cancelled;
			}

			return decision.allowed
				? allow(asked, title)
				: refuse(asked, {title, why: decision.note ?? 'a person said no'});
		},
		permit: permits => {
			for (const {request, ...decision} of permits) {
				waiting.get(request)?.(decision);
			}
		},
		goOn: () => {
			isOver = true;
		},
		explained: refusals => {
			told = [...told, ...refusals];
		},
		takeUnexplained: stopReason => {
			// An agent that a refusal stops could not react to the explanation.
			const unexplained =
				stopReason === 'cancelled'
					? refused
					: isOver
						? []
						: refused.filter(refusal => !told.includes(refusal));
			refused = [];
			told = [];
			isOver = true;
			return unexplained;
		},
		close: () => {
			closed = true;
			for (const resolve of waiting.values()) {
				resolve('closed');
			}
		},
	};
};

/**
Returns what kind of permission is requested, and what the tool does if that is something else.

A request with a diff is a write, whatever kind the agent gives, and also a command if it has one. An agent may ask more than once about one tool: for a place outside its directory, or to retry after a failure.
*/
const kindsOf = (
	{kind: said}: AskedPermission,
	{kind, diffs}: ToolCall,
): Pick<Request, 'kind' | 'about'> => {
	const about = diffs.length > 0 && kind !== 'delete' && kind !== 'move' ? 'edit' : kind;
	if (said === 'other' && kind !== 'other') {
		return {kind: 'other', about};
	}

	return kind === 'execute' && about !== kind ? {kind, about} : {kind: about};
};
