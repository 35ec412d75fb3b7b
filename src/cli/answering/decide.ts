import {readFile} from 'node:fs/promises';
import {relative, resolve} from 'node:path';
import {whoAnsweredFirst} from '../../client/texts/item-text.ts';
import type {Event, EventOf} from '../../events/event.ts';
import {diskFiles} from '../../journal/files.ts';
import {readIfThere} from '../../journal/read.ts';
import {asFailure, exitCodes, Failure} from '../../lib/failure.ts';
import {loadLate} from '../../lib/load-late.ts';
import {formatDuration} from '../../lib/text/duration.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {withoutStop} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {type ApprovalOutcome, approvalOutcome} from '../../rules/approval-outcome.ts';
import {takesWork, type Verb} from '../../rules/commands/choices.ts';
import {readVerb} from '../../rules/commands/read-decision.ts';
import {slowGitText} from '../../rules/notices.ts';
import {recordsOf} from '../../rules/question-record.ts';
import {fold, isEvent} from '../../state/apply/apply.ts';
import {doubtsTold, handMadeIn, type ItemOf} from '../../state/item.ts';
import {doubtedText} from '../../state/items/conflict/resolved.ts';
import {sameQuestions} from '../../state/items/question/answer.ts';
import {readChoice} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {readSession} from '../../supervisor/past/read-session.ts';
import {followCommand, printCommandOutcome} from '../agent/carried-out.ts';
import {withProgram} from '../agent/with-program.ts';
import {createWaitPrinter, followAwake} from '../follow-session.ts';
import type {Here, LastSession} from '../here.ts';
import {print, printAside, printJson, reportFailure} from '../output.ts';
import {type Added, addedBy} from '../plan/added-by.ts';
import type {OneAdded} from '../plan/read-added.ts';
import {askSupervisor, eventIn} from '../reach-supervisor.ts';

/** Options of a typed decision. */
export type DecideOptions = {
	readonly note?: string;
	readonly file?: string;
	readonly same?: boolean;
	/** Decide despite the doubts that the item shows. */
	readonly anyway?: boolean;
	/** Profile with which a failed agent is retried. */
	readonly agent?: string;
	readonly json?: boolean;
};

/** Decides an item in the person's words, and prints the outcome. */
export const decideItem = async (
	here: Here,
	session: LastSession,
	item: string,
	choice: string,
	options: DecideOptions,
): Promise<void> => {
	if (options.agent !== undefined) {
		if (options.file !== undefined || options.same) {
			throw new Failure('usage', '--agent takes neither --file nor --same.', {
				hint: 'Give your words to the agent with --note.',
			});
		}

		const {retryAs} = await loadLate(() => import('../agent/agent-order.ts'));
		await retryAs(here, session, {item, choice, profile: options.agent}, options);
		return;
	}

	const given = {
		item,
		choice,
		...defined({
			note: options.note,
			despite: options.anyway ? doubtsTold(itemOf(session.state, item)) : undefined,
		}),
		...(await fromFile(here, session, item, choice, options.file)),
	};
	const also = options.same ? sameItems(session, item) : [];
	const answer = await askSupervisor(
		here,
		also.length === 0
			? await withProgram(here, {do: 'decide', by: 'user', ...given})
			: {do: 'answer', by: 'user', answers: [given, ...also.map(item => ({...given, item}))]},
	).catch(async error => {
		throw await explainRefusal(session, item, error);
	});
	const event = eventIn(answer);
	requireUndoubted(event);
	const opened =
		verbOf(session.state, item, choice) === 'manual'
			? await resolutionFolder(here, session, item, event.seq)
			: undefined;
	if (!options.json) {
		print([item, ...also].map(item => `${item}: ${choice}`).join('\n'));
	}

	const outcome = await followApproved(here, session, event);
	const command = await followCommand(here, session, event, options.json ? () => {} : print);
	if (options.json) {
		const same = also.length === 0 ? undefined : also;
		printJson({
			ok: true,
			event,
			...defined({
				same,
				folder: opened?.folder,
				files: opened && handMadeIn(opened),
				outcome,
				command,
			}),
		});
	}

	if (outcome !== undefined) {
		printOutcome(outcome, options);
	}

	if (command !== undefined) {
		printCommandOutcome(command, options);
	}

	if (options.json) {
		return;
	}

	if (event.kind === 'user.decided' && event.warnings?.length) {
		print([...event.warnings, 'Nothing starts before you approve that.'].join('\n'));
	}

	if (opened !== undefined) {
		print(
			`Edit the files in ${handMadeIn(opened)} until no conflict marker is left, then: delegate-tui answer ${item} done`,
		);
	}
};

/** Throws if doubts hold the decision up; a script that repeats it is held up again, unless it says that it knows them. */
const requireUndoubted = (event: Event): void => {
	if (event.kind === 'user.decided' && event.doubts !== undefined) {
		const {item, choice, doubts} = event;
		throw new Failure(
			'refused',
			`${item} stays open: ${doubtedText({choice, doubts}, 'add --anyway')}.`,
			{hint: `delegate-tui answer ${item} ${choice} --anyway`},
		);
	}
};

const verbOf = (state: State, id: string, choice: string): Verb | undefined => {
	const item = itemOf(state, id);
	return item && readVerb(state, item, choice);
};

const sameItems = ({state}: LastSession, id: string): readonly string[] => {
	const item = itemOf(state, id);
	const same = item?.kind === 'question' ? sameQuestions(state, item) : [];
	if (item !== undefined && same.length === 0) {
		throw new Failure('refused', `No other agent asked what ${id} asks.`, {
			hint: 'leave --same out',
		});
	}

	return same.map(({id}) => id);
};

const fromFile = async (
	here: Here,
	{state}: LastSession,
	item: string,
	choice: string,
	file: string | undefined,
): Promise<Record<string, unknown>> => {
	if (file === undefined) {
		return {};
	}

	if (itemOf(state, item)?.kind === 'plan' && verbOf(state, item, choice) === 'edit') {
		const {requireConfig, readPlan} = await plans();
		return readPlan(file, {repository: here.repository, config: await requireConfig(here)});
	}

	const added = addedBy(state, item, choice);
	if (added !== undefined) {
		return addedInFile(here, state, added, file);
	}

	const content = await readFile(file).catch((error: unknown) => {
		throw new Failure('usage', `The file ${file} can’t be read.`, {cause: error});
	});
	return takesPart(state, item, choice)
		? {patch: patchOf(content)}
		: {note: content.toString('utf8')};
};

/** Loads the readers of plans and config, which only decisions with such a file need. */
const plans = () =>
	loadLate(async () => ({
		...(await import('../require-config.ts')),
		...(await import('../plan/read-plan.ts')),
		...(await import('../plan/read-added.ts')),
	}));

/** Reads from a file the subtask of the agent that a choice adds, and prints its warnings. */
export const addedInFile = async (
	here: Here,
	state: State,
	{dropped}: Added,
	file: string,
): Promise<Omit<OneAdded, 'warnings'>> => {
	const {requireConfig, readOneAdded, readText} = await plans();
	const config = await requireConfig(here);
	const named = relative(process.cwd(), resolve(file)) || file;
	const part = {text: await readText(file), file: named, dropped};
	const {warnings, ...read} = await readOneAdded(here, config, state, part);
	warnings.forEach(printAside);
	return read;
};

const takesPart = (state: State, id: string, typed: string): boolean => {
	const item = itemOf(state, id);
	if (item?.kind !== 'failure' && item?.kind !== 'review') {
		return false;
	}

	const choice = readChoice<'failure' | 'review'>(state, item, typed);
	return choice !== undefined && takesWork(choice);
};

/** Returns a patch with one character per byte, since it may contain any bytes. */
const patchOf = (content: Buffer): string => {
	if (content.length > largestPatch) {
		throw new Failure('usage', `The patch is larger than ${bytesText(largestPatch)}.`, {
			hint: 'Take whole files by globs instead: --note "src/**"',
		});
	}

	return content.toString('latin1');
};

/** Maximum size of a patch, in bytes, since a request has to fit into one frame. */
const largestPatch = 400_000;

/** Time in which the folder of a resolution must appear, in milliseconds. */
const folderPatienceMs = 30_000;

const resolutionFolder = async (
	here: Here,
	{folder}: LastSession,
	item: string,
	from: number,
): Promise<EventOf<'resolution.opened'> | undefined> => {
	const signal = AbortSignal.timeout(folderPatienceMs);
	for await (const {events} of followAwake(here, folder, signal)) {
		const opened = events.find(
			event => event.seq >= from && event.kind === 'resolution.opened' && event.conflict === item,
		);
		if (opened?.kind === 'resolution.opened') {
			return opened;
		}
	}

	return undefined;
};

/** Known outcome of an approved result when the command ends. */
export type DecisionOutcome =
	| ApprovalOutcome
	/** It is still being published. */
	| {readonly kind: 'pending'; readonly message: string; readonly hint: string};

/** Time to wait for a merge, in milliseconds; the supervisor ends a hanging git before that. */
const patienceMs = 180_000;

/** Waits for the outcome of an approved result; for any other decision returns nothing. */
const followApproved = async (
	here: Here,
	session: LastSession,
	decision: Event,
): Promise<DecisionOutcome | undefined> => {
	const approved = await approvedBy(session, decision);
	return approved && outcomeOf(here, session, decision, approved);
};

/** Prints the outcome for a person, and sets the exit code for the calling program. */
const printOutcome = (
	outcome: DecisionOutcome,
	{json = false}: {readonly json?: boolean},
): void => {
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
}: Extract<DecisionOutcome, {kind: 'merged' | 'unmoved'}>): string =>
	kind === 'merged'
		? `merged ${commit} into ${target}`
		: `nothing to merge: ${target} stays at ${commit}`;

/** Returns the approval's item from the state before the decision, which closed it. */
const approvedBy = async (
	{id, folder}: LastSession,
	decision: Event,
): Promise<ItemOf<'approval'> | undefined> => {
	// With doubts the approval only showed them: nothing is being published.
	if (
		decision.kind !== 'user.decided' ||
		decision.choice !== 'approve' ||
		decision.doubts !== undefined
	) {
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
): Promise<DecisionOutcome> => {
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

const pending = (state: State | undefined): DecisionOutcome => {
	const waiting = state?.waiting ?? null;
	const what = waiting === null ? 'the supervisor has reported nothing more' : slowGitText(waiting);
	return {
		kind: 'pending',
		message: `Your approval stands, but after ${formatDuration(patienceMs)} the merge is still under way: ${withoutStop(what)}.`,
		hint: 'delegate-tui status shows where it is; delegate-tui log shows its outcome',
	};
};

/** Returns the reason of a refusal; for a question that no longer waits, the reason includes its outcome. */
export const explainRefusal = async (
	{folder}: LastSession,
	item: string,
	error: unknown,
): Promise<unknown> => {
	const {kind, hint} = asFailure(error);
	const reading = kind === 'refused' ? await readIfThere(folder.journal, diskFiles) : undefined;
	const told = whoAnsweredFirst(recordsOf((reading?.entries ?? []).filter(isEvent)), item);
	return told === undefined
		? error
		: new Failure('refused', told, {
				cause: error,
				...defined({hint}),
			});
};
