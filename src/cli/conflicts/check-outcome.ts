import type {BodyOf} from '../../events/event.ts';
import {Failure} from '../../lib/failure.ts';
import {checkWords, outcomeCheckName} from '../../state/items/conflict/outcome-check.ts';
import {conflictWords} from '../../state/items/conflict/words.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {followLogWhile} from '../answering/follow-log-while.ts';
import {eventIn} from '../event-in.ts';
import {followAwake} from '../follow-session.ts';
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
		askSupervisor(here, {do: 'decide', item, choice: checkWords(of), by: 'user'});
	const {seq} = eventIn(await ask(choice));
	const stop = () => void ask(null).catch(() => {});
	process.once('SIGINT', stop);
	const log = {folder: folder.checks, name: `${outcomeCheckName({since: seq})}.log`, onLine};
	try {
		return await followLogWhile(log, followCheck(here, folder, {item, since: seq}));
	} finally {
		process.off('SIGINT', stop);
	}
};

type Check = {readonly item: string; readonly since: number};

/** Waits for what comes of a check that was asked for by the event of this number. */
export const followCheck = async (
	here: Here,
	folder: LastSession['folder'],
	check: Check,
): Promise<BodyOf<'outcome.checked'>> => {
	for await (const {events, state} of followAwake(here, folder)) {
		const checked = events.find(
			event => event.kind === 'outcome.checked' && event.since === check.since,
		);
		if (checked?.kind === 'outcome.checked') {
			return checked;
		}

		const why = state.seq < check.since ? undefined : whyStopped(state, check);
		if (why !== undefined) {
			throw new Failure('refused', `The check was stopped: ${why}.`);
		}
	}

	throw new Failure('internal', 'The journal ended before the check did.');
};

/** Returns why nothing will come of a check; nothing while it runs. */
const whyStopped = (state: State, {item: id, since}: Check): string | undefined => {
	const item = itemOf(state, id);
	if (state.session?.ended) {
		return 'the session has ended';
	}

	if (item?.kind !== 'conflict') {
		return `${id} is no longer open`;
	}

	if (item.checking === undefined) {
		return 'nobody waits for it any more';
	}

	return item.checking.since === since
		? undefined
		: `${conflictWords(item.checking.choice)} is checked instead`;
};
