import type {BodyOf, Event, EventOf} from '../../events/event.ts';
import {exitCodes} from '../../lib/exit-codes.ts';
import {Failure} from '../../lib/failure.ts';
import {readVerb} from '../../rules/commands/read-decision.ts';
import {commandLogName} from '../../state/items/blocker/command.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {followLogWhile} from '../answering/follow-log-while.ts';
import {followAwake} from '../follow-session.ts';
import type {Here, LastSession} from '../here.ts';
import {print, reportFailure} from '../output.ts';

/** What became of a command that was run for a blocked agent; null where nobody waited for it any more. */
export type CommandOutcome = BodyOf<'command.ended'> | null;

/** Waits for the end of the command that a decision has run for a blocker, and hands on what it prints; of any other decision nothing. */
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

/** Tells it to a person, and whoever started the program by its exit code. */
export const printCommandOutcome = (
	outcome: CommandOutcome,
	{json = false}: {json?: boolean},
): void => {
	if (outcome?.code === 0) {
		if (!json) {
			print(`${outcome.item} is resolved; ${outcome.agent} is told what came of it.`);
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
		return 'The command was ended before it was done: it was cancelled, or what it was for is no longer open.';
	}

	const {item, code, why = 'was ended by a signal'} = outcome;
	return `The command ${code === null ? why : `failed with exit code ${code}`}; ${item} is still open.`;
};
