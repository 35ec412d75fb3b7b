import type {Event} from '../events/event.ts';
import {exitCodes} from '../lib/exit-codes.ts';
import {Failure} from '../lib/failure.ts';
import {formatDuration} from '../lib/text/duration.ts';
import {withoutStop} from '../lib/without-stop.ts';
import {type ApprovalOutcome, approvalOutcome} from '../rules/approval-outcome.ts';
import {waitingText} from '../rules/notices.ts';
import {fold} from '../state/apply/apply.ts';
import type {ItemOf} from '../state/item.ts';
import {itemOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {readSession} from '../supervisor/past/read-session.ts';
import {followAwake} from './follow-session.ts';
import type {Here, LastSession} from './here.ts';
import {print, reportFailure} from './output.ts';
import {createWaitPrinter} from './print-waits-while.ts';

/** What is known of an approved result when its approver goes on. */
export type Outcome =
	| ApprovalOutcome
	/** It is still on its way. */
	| {readonly kind: 'pending'; readonly message: string; readonly hint: string};

/** How long a merge is waited for, in milliseconds; a git that stands still is ended by the supervisor before that. */
const patienceMs = 180_000;

/** Waits for what becomes of the result that a decision approves; of any other decision nothing. */
export const followApproved = async (
	here: Here,
	session: LastSession,
	decision: Event,
): Promise<Outcome | undefined> => {
	const approved = await approvedBy(session, decision);
	return approved && outcomeOf(here, session, decision, approved);
};

/** Tells it to a person, and whoever started the program by its exit code. */
export const printOutcome = (outcome: Outcome, {json = false}: {readonly json?: boolean}): void => {
	const {kind} = outcome;
	if (kind === 'merged' || kind === 'unmoved') {
		if (!json) {
			print(arrivedText(outcome));
		}

		return;
	}

	if (!json) {
		reportFailure(new Failure('refused', outcome.message, {hint: outcome.hint}), false);
	}

	process.exitCode = exitCodes.refused;
};

const arrivedText = ({
	kind,
	commit,
	target,
}: Extract<Outcome, {kind: 'merged' | 'unmoved'}>): string =>
	kind === 'merged'
		? `merged ${commit} into ${target}`
		: `nothing was to bring: ${target} stays at ${commit}`;

/** The item is gone by the decision, so it is looked up in what was true before. */
const approvedBy = async (
	{id, folder}: LastSession,
	decision: Event,
): Promise<ItemOf<'approval'> | undefined> => {
	if (decision.kind !== 'user.decided' || decision.choice !== 'approve') {
		return undefined;
	}

	const {events} = await readSession(id, folder);
	const item = itemOf(fold(events.filter(({seq}) => seq < decision.seq)), decision.item);
	return item?.kind === 'approval' ? item : undefined;
};

const outcomeOf = async (
	here: Here,
	{folder}: LastSession,
	{seq}: Event,
	{commit}: ItemOf<'approval'>,
): Promise<Outcome> => {
	const signal = AbortSignal.timeout(patienceMs);
	const since: Event[] = [];
	const printWait = createWaitPrinter();
	let state: State | undefined;
	for await (const progress of followAwake(here, folder, signal)) {
		state = progress.state;
		since.splice(0, progress.restarted ? since.length : 0);
		since.push(...progress.events.filter(event => event.seq > seq));
		const outcome = state.seq < seq ? undefined : approvalOutcome(commit, since, state);
		if (outcome !== undefined) {
			return outcome;
		}

		printWait(state.waiting);
	}

	return pending(state);
};

const pending = (state: State | undefined): Outcome => {
	const waiting = state?.waiting ?? null;
	const what = waiting === null ? 'the supervisor has said nothing more' : waitingText(waiting);
	return {
		kind: 'pending',
		message: `Your approval stands, but after ${formatDuration(patienceMs)} the merge is still under way: ${withoutStop(what)}.`,
		hint: 'delegate-tui status shows where it is; delegate-tui log shows what came of it',
	};
};
