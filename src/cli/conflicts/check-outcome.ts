import {followTail} from '../../client/files/tail.ts';
import {isEvent} from '../../events/decode.ts';
import type {BodyOf} from '../../events/event.ts';
import {followJournal} from '../../journal/follow.ts';
import {Failure} from '../../lib/failure.ts';
import {sanitize, withoutColors} from '../../lib/text/sanitize.ts';
import {checkWords, outcomeCheckName} from '../../state/items/outcome-check.ts';
import {eventIn} from '../event-in.ts';
import type {Here, LastSession} from '../here.ts';
import {askSupervisor} from '../reach-supervisor.ts';

/**
Has what a choice comes to checked, hands on what the check prints, and returns what came of it; an interrupt of the person's stops it.

@throws `Failure` of kind `refused` when it was stopped, or the conflict was decided meanwhile.
*/
export const checkOutcome = async (
	here: Here,
	{folder}: LastSession,
	{item, choice}: {readonly item: string; readonly choice: string},
	onLine: (line: string) => void,
): Promise<BodyOf<'outcome.checked'>> => {
	const ask = (of: string | null) =>
		askSupervisor(here, {do: 'decide', item, choice: checkWords({verb: 'check', of}), by: 'user'});
	const {seq} = eventIn(await ask(choice));
	const stop = () => void ask(null).catch(() => {});
	process.once('SIGINT', stop);
	const over = new AbortController();
	const name = `${outcomeCheckName({since: seq})}.log`;
	const tail = followTail({
		folder: folder.checks,
		pick: names => names.filter(file => file === name),
		onLine: line => onLine(sanitize(withoutColors(line))),
		signal: over.signal,
	});
	try {
		return await endOf(folder.journal, item, seq);
	} finally {
		process.off('SIGINT', stop);
		over.abort();
		await tail;
	}
};

const endOf = async (
	journal: string,
	item: string,
	since: number,
): Promise<BodyOf<'outcome.checked'>> => {
	for await (const event of followJournal(journal, {from: since + 1})) {
		if (!isEvent(event)) {
			continue;
		}

		if (event.kind === 'outcome.checked' && event.since === since) {
			return event;
		}

		const isOver =
			(event.kind === 'user.decided' && event.item === item) ||
			(event.kind === 'conflict.gone' && event.conflict === item) ||
			event.kind === 'session.ended';
		if (isOver) {
			throw new Failure('refused', 'The check was stopped: something else was decided meanwhile.');
		}
	}

	throw new Failure('internal', 'The journal ended before the check did.');
};
