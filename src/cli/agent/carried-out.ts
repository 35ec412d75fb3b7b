import type {AgentOrder} from '../../events/agent-order.ts';
import type {BodyOf, Event, EventOf} from '../../events/event.ts';
import {exitCodes, Failure} from '../../lib/failure.ts';
import {defined} from '../../lib/values.ts';
import {readVerb} from '../../rules/commands/read-decision.ts';
import {whenRead} from '../../rules/status.ts';
import {type Agent, lastSnapshot} from '../../state/agent/agent.ts';
import {checkOfWork, checkText} from '../../state/agent/compared.ts';
import {commandLogName} from '../../state/items/blocker.ts';
import {agentOf, isLive, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {followLogWhile} from '../answering/follow-log-while.ts';
import {followAwake} from '../follow-session.ts';
import type {Here, LastSession} from '../here.ts';
import {print, reportFailure} from '../output.ts';
import {askSupervisor, eventIn} from '../reach-supervisor.ts';

/** Time to wait for an order, in milliseconds: an agent may take seconds to end politely. */
const patienceMs = 60_000;

/** Gives an order to an agent, waits until it is carried out, and returns the agent's state in a sentence. */
export const carriedOut = async (
	here: Here,
	{folder}: LastSession,
	id: string,
	order: AgentOrder,
	environment?: Readonly<Record<string, string>>,
): Promise<{readonly event: Event; readonly done: string}> => {
	const request = {do: 'steer', agent: id, order, ...defined({environment})} as const;
	const event = eventIn(await askSupervisor(here, request));
	const signal = AbortSignal.timeout(patienceMs);
	for await (const {state} of followAwake(here, folder, signal)) {
		const done = state.seq < event.seq ? undefined : outcomeOf(state, id, order);
		if (done !== undefined) {
			return {event, done};
		}
	}

	const done = `${id} got the order, but has not carried it out yet. See: delegate-tui status`;
	return {event, done};
};

const outcomeOf = (state: State, id: string, order: AgentOrder): string | undefined => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return undefined;
	}

	const snapshot = lastSnapshot(agent);
	const kept = snapshot === undefined ? '' : ` Its work is kept in snapshot ${snapshot.number}.`;
	switch (order.verb) {
		case 'message':
			return messageText(agent, order);
		case 'pause':
			return isLive(agent) || agent.state === 'RUNNING' ? undefined : `${pausedText(agent)}${kept}`;
		case 'resume':
			return `${id} goes on${agent.state === 'PENDING' ? ' waiting for its start' : ' as soon as its turn comes'}.`;
		case 'restart':
			return `${id} starts over${order.from === null ? '' : ` from snapshot ${order.from}`}${order.as === undefined ? '' : ` as ${order.as.profile}`} as soon as its turn comes.`;
		case 'switch':
			return `${id} goes on ${order.what === 'mode' ? 'in the mode' : 'with the model'} ${order.to} from its next turn on, in the same conversation.`;
		case 'grant':
			return grantText(agent);
		case 'check':
			return agent.toCheck === undefined
				? `The plan’s checks on the work of ${id} alone ${checkText(checkOfWork(agent))}`
				: undefined;
		case 'stop':
			return agent.state === 'ABORTED' && !isLive(agent)
				? `${id} is out of the session.${kept}${state.session?.ended ? ' The session has ended with it.' : ''}`
				: undefined;
	}
};

/** Returns the outcome of a grant; files are restored only after the agent's turn. */
const grantText = (agent: Agent): string | undefined => {
	if (agent.granted === undefined) {
		return `${agent.id} may write it now. To see what was restored: delegate-tui diff ${agent.id}`;
	}

	return isLive(agent)
		? `${agent.id} may write it now; the files are restored once its turn is over.`
		: undefined;
};

/** Returns the outcome of a message; with `now`, once it is delivered. */
const messageText = (
	agent: Agent,
	order: Extract<AgentOrder, {verb: 'message'}>,
): string | undefined => {
	const {now, command} = order;
	const queued = agent.replies.some(({heading}) => heading === 'MESSAGE');
	if (!queued) {
		return `${agent.id} ${command ? 'was sent the command' : 'was told'}.`;
	}

	if (now) {
		return undefined;
	}

	return `${agent.id} ${command ? 'is sent the command' : 'is told'} ${whenRead(agent, order)}${agent.held === undefined ? '' : '; it is paused'}.`;
};

/** Returns the outcome of a pause; the agent may have ended before. */
const pausedText = ({id, held, state}: Agent): string =>
	held === undefined
		? `${id} had already ended: ${state}.`
		: `${id} is paused; delegate-tui agent ${id} resume lets it go on.`;

/** Outcome of a command for a blocked agent; null if the wait for it was given up. */
export type CommandOutcome = BodyOf<'command.ended'> | null;

/** Waits for the command that a decision has run for a blocker, and passes its output on; for any other decision returns nothing. */
export const followCommand = async (
	here: Here,
	{folder, state}: LastSession,
	decision: Event,
	onLine: (line: string) => void,
): Promise<CommandOutcome | undefined> => {
	const item = decision.kind === 'user.decided' ? itemOf(state, decision.item) : undefined;
	if (
		decision.kind !== 'user.decided' ||
		item?.kind !== 'blocker' ||
		readVerb(state, item, decision.choice) !== 'run'
	) {
		return undefined;
	}

	const name = commandLogName(decision.item, {since: decision.seq});
	const log = {folder: folder.commands, name, onLine};
	return followLogWhile(log, endOf(here, folder, decision));
};

const endOf = async (
	here: Here,
	folder: LastSession['folder'],
	{seq, item}: EventOf<'user.decided'>,
): Promise<CommandOutcome> => {
	for await (const {events, state} of followAwake(here, folder)) {
		const ended = events.find(event => event.kind === 'command.ended' && event.since === seq);
		if (ended?.kind === 'command.ended') {
			return ended;
		}

		if (state.seq >= seq && !isRunning(state, item, seq)) {
			return null;
		}
	}

	return null;
};

const isRunning = (state: State, id: string, since: number): boolean => {
	const item = itemOf(state, id);
	return (
		!state.session?.ended &&
		item?.kind === 'blocker' &&
		item.command?.since === since &&
		item.command.phase === 'running'
	);
};

/** Prints the outcome for a person, and sets the exit code for the calling program. */
export const printCommandOutcome = (
	outcome: CommandOutcome,
	{json = false}: {json?: boolean},
): void => {
	if (outcome?.code === 0) {
		if (!json) {
			print(`${outcome.item} is resolved; ${outcome.agent} is told the result.`);
		}

		return;
	}

	process.exitCode = exitCodes.refused;
	if (!json) {
		reportFailure(
			new Failure('refused', wordsOf(outcome), {
				hint: 'delegate-tui inbox shows what it printed last, and what can be chosen',
			}),
			false,
		);
	}
};

const wordsOf = (outcome: CommandOutcome): string => {
	if (outcome === null) {
		return 'The command was ended before it was done: it was cancelled, or its item is no longer open.';
	}

	const {item, code, why = 'was ended by a signal'} = outcome;
	return `The command ${code === null ? why : `failed with exit code ${code}`}; ${item} is still open.`;
};
