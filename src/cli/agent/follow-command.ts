import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {followTail} from '../../client/files/tail.ts';
import {isEvent} from '../../events/decode.ts';
import type {BodyOf, Event} from '../../events/event.ts';
import {followJournal} from '../../journal/follow.ts';
import {exitCodes} from '../../lib/exit-codes.ts';
import {Failure} from '../../lib/failure.ts';
import {sanitize, withoutColors} from '../../lib/text/sanitize.ts';
import {commandLogName} from '../../state/items/blocker-command.ts';
import {snoozeWord} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {LastSession} from '../here.ts';
import {print, reportFailure} from '../output.ts';

/** What became of a command that was run for a blocked agent; null where somebody decided otherwise meanwhile. */
export type CommandOutcome = BodyOf<'command.ended'> | null;

/** Waits for the end of the command that a decision has run for a blocker, and hands on what it prints; of any other decision nothing. */
export const followCommand = async (
	{folder, state}: LastSession,
	decision: Event,
	onLine: (line: string) => void,
): Promise<CommandOutcome | undefined> => {
	if (
		decision.kind !== 'user.decided' ||
		decision.choice !== 'run' ||
		itemOf(state, decision.item)?.kind !== 'blocker'
	) {
		return undefined;
	}

	const stop = new AbortController();
	const name = commandLogName(decision.item, {since: decision.seq});
	let told = 0;
	const tell = (line: string): void => {
		told += 1;
		onLine(sanitize(withoutColors(line)));
	};
	const tail = followTail({
		folder: folder.commands,
		pick: names => names.filter(file => file === name),
		onLine: tell,
		signal: stop.signal,
	});
	const outcome = await endOf(folder.journal, decision);
	stop.abort();
	await tail;
	// A short command may be over before anybody looked.
	(await linesOf(join(folder.commands, name))).slice(told).forEach(tell);
	return outcome;
};

const linesOf = async (log: string): Promise<readonly string[]> => {
	const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

const endOf = async (
	journal: string,
	{seq, item}: Extract<Event, {kind: 'user.decided'}>,
): Promise<CommandOutcome> => {
	const {signal} = new AbortController();
	for await (const event of followJournal(journal, {from: seq, signal})) {
		if (!isEvent(event)) {
			continue;
		}

		if (event.kind === 'command.ended' && event.since === seq) {
			return event;
		}

		const isElse =
			event.kind === 'user.decided' &&
			event.item === item &&
			event.seq > seq &&
			event.choice !== snoozeWord;
		if (isElse || event.kind === 'session.ended') {
			return null;
		}
	}

	return null;
};

/** Tells it to a person, and whoever started the program by its exit code. */
export const tellCommand = (outcome: CommandOutcome, {json = false}: {json?: boolean}): void => {
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
		return 'The command was ended, since somebody decided otherwise.';
	}

	const {item, code, why = 'was ended by a signal'} = outcome;
	return `The command ${code === null ? why : `failed with exit code ${code}`}; ${item} is still open.`;
};
