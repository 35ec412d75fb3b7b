import {readFile} from 'node:fs/promises';
import {isEvent} from '../../events/decode.ts';
import {followJournal} from '../../journal/follow.ts';
import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {bytesText} from '../../lib/text/bytes-text.ts';
import {splitChoice} from '../../state/choice.ts';
import {sameQuestions} from '../../state/items/same-question.ts';
import {itemOf} from '../../state/select.ts';
import {nextAgentId} from '../../supervisor/requests/new-subtask.ts';
import {findProgram} from '../agent/find-program.ts';
import {followCommand, tellCommand} from '../agent/follow-command.ts';
import {eventIn} from '../event-in.ts';
import {followApproved, tellOutcome} from '../follow-approved.ts';
import type {Here, LastSession} from '../here.ts';
import {print, printJson} from '../output.ts';
import {takesSubtask} from '../plan/preview-subtask.ts';
import {readPlan} from '../plan/read-plan.ts';
import {readSubtask} from '../plan/read-subtask.ts';
import {askSupervisor} from '../reach-supervisor.ts';
import {requireConfig} from '../require-config.ts';

/** What goes with a decision that is typed. */
export type DecideOptions = {
	readonly note?: string;
	readonly file?: string;
	readonly same?: boolean;
	readonly json?: boolean;
};

/** Decides an item in the words that a person typed, and tells what came of it. */
export const decide = async (
	here: Here,
	session: LastSession,
	item: string,
	choice: string,
	options: DecideOptions,
): Promise<void> => {
	const given = {
		item,
		choice,
		...(options.note === undefined ? {} : {note: options.note}),
		...(await fromFile(here, session, item, choice, options.file)),
		...(await arbiterOf(here, session, item, choice)),
	};
	const also = options.same ? sameItems(session, item) : [];
	const answer = await askSupervisor(
		here,
		also.length === 0
			? {do: 'decide', by: 'user', ...given}
			: {do: 'answer', by: 'user', answers: [given, ...also.map(item => ({...given, item}))]},
	);
	const event = eventIn(answer);
	const folder = choice === 'manual' ? await resolutionFolder(session, item, event.seq) : undefined;
	if (!options.json) {
		print([item, ...also].map(item => `${item}: ${choice}`).join('\n'));
	}

	const outcome = await followApproved(here, session, event);
	const command = await followCommand(session, event, options.json ? () => {} : print);
	if (options.json) {
		const same = also.length === 0 ? undefined : also;
		printJson({ok: true, event, ...defined({same, folder, outcome, command})});
	}

	if (outcome !== undefined) {
		tellOutcome(outcome, options);
	}

	if (command !== undefined) {
		tellCommand(command, options);
	}

	if (options.json) {
		return;
	}

	if (event.kind === 'user.decided' && event.warnings?.length) {
		print([...event.warnings, 'Nothing starts before you approve that.'].join('\n'));
	}

	if (folder !== undefined) {
		print(
			`Edit the files in ${folder}/files until no conflict marker is left, then: delegate-tui answer ${item} done`,
		);
	}
};

/** Returns the questions of other agents that ask the same. */
const sameItems = ({state}: LastSession, id: string): readonly string[] => {
	const item = itemOf(state, id);
	const same = item?.kind === 'question' ? sameQuestions(state, item) : [];
	if (item !== undefined && same.length === 0) {
		throw new Failure('refused', `Nobody else asks what ${id} asks.`, {
			hint: 'leave --same out',
		});
	}

	return same.map(({id}) => id);
};

const fromFile = async (
	{repository}: Here,
	{state}: LastSession,
	item: string,
	choice: string,
	file: string | undefined,
): Promise<Record<string, unknown>> => {
	if (file === undefined) {
		return {};
	}

	if (itemOf(state, item)?.kind === 'plan' && choice === 'edit') {
		const config = await requireConfig(repository.root);
		return readPlan(file, {repository, config});
	}

	if (takesSubtask(itemOf(state, item), choice)) {
		const config = await requireConfig(repository.root);
		const read = await readSubtask(file, nextAgentId(state), config);
		return {...read, note: read.subtask.subtask};
	}

	const content = await readFile(file).catch((error: unknown) => {
		throw new Failure('usage', `The file ${file} can't be read.`, {cause: error});
	});
	const kind = itemOf(state, item)?.kind;
	const takesPart =
		(kind === 'failure' && choice === 'salvage') || (kind === 'review' && choice === 'merge');
	return takesPart ? {patch: patchOf(content)} : {note: content.toString('utf8')};
};

/** A character for each byte, for a patch may hold any. */
const patchOf = (content: Buffer): string => {
	if (content.length > largestPatch) {
		throw new Failure('usage', `The patch is larger than ${bytesText(largestPatch)}.`, {
			hint: 'Take whole files by globs instead: --note "src/**"',
		});
	}

	return content.toString('latin1');
};

/** What a supervisor is sent has to fit into one frame, in bytes. */
const largestPatch = 400_000;

/** Who is asked to settle a conflict may be a profile of the config that no agent of the session is; else the supervisor knows it. */
const arbiterOf = async (
	here: Here,
	{state}: LastSession,
	item: string,
	choice: string,
): Promise<Record<string, unknown>> => {
	const {verb, argument} = splitChoice(choice);
	if (verb !== 'arbiter' || itemOf(state, item)?.kind !== 'conflict') {
		return {};
	}

	const found = await findProgram(here, argument);
	return 'why' in found ? {} : found;
};

/** How long the folder of a resolution may take to appear, in milliseconds. */
const folderPatienceMs = 30_000;

const resolutionFolder = async (
	{folder}: LastSession,
	item: string,
	from: number,
): Promise<string | undefined> => {
	const signal = AbortSignal.timeout(folderPatienceMs);
	for await (const event of followJournal(folder.journal, {from, signal})) {
		if (isEvent(event) && event.kind === 'resolution.opened' && event.conflict === item) {
			return event.folder;
		}
	}

	return undefined;
};
