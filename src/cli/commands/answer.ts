import {readFile} from 'node:fs/promises';
import {createInterface} from 'node:readline/promises';
import type {Command} from 'commander';
import {itemText} from '../../client/texts/item-text.ts';
import {isEvent} from '../../events/decode.ts';
import {followJournal} from '../../journal/follow.ts';
import {defined} from '../../lib/defined.ts';
import {asFailure, Failure} from '../../lib/failure.ts';
import {inbox} from '../../rules/inbox.ts';
import {sameQuestions} from '../../state/items/same-question.ts';
import {itemOf} from '../../state/select.ts';
import {followCommand, tellCommand} from '../agent/follow-command.ts';
import {previewAnswer} from '../conflicts/preview-answer.ts';
import {eventIn} from '../event-in.ts';
import {followApproved, tellOutcome} from '../follow-approved.ts';
import {findHere, type Here, type LastSession, requireActiveSession} from '../here.ts';
import {columnsHere, print, printJson} from '../output.ts';
import {readPlan} from '../plan/read-plan.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';
import {requireConfig} from '../require-config.ts';

type Options = {
	readonly note?: string;
	readonly file?: string;
	readonly same?: boolean;
	readonly json?: boolean;
	readonly preview?: boolean;
};

/** `answer`: decide an item of the inbox. */
export const addAnswer = (program: Command): void => {
	program
		.command('answer [item] [choice...]')
		.description('decide an inbox item; without words: list and ask')
		.option('--note <text>', 'what the agent is told with the decision')
		.option('--file <file>', 'the plan that replaces the proposed one, or a note from a file')
		.option('--same', 'answer every agent that asks the same question')
		.option('--preview', 'only show what a choice about a conflict would come to')
		.option('--json', 'as JSON')
		.action(async (item: string | undefined, words: string[], options: Options) => {
			const here = await findHere();
			if (item !== undefined) {
				requirePerson(here);
			}

			const session = await requireActiveSession(here);
			if (item === undefined) {
				await askPerson(here, session, options);
				return;
			}

			if (words.length === 0) {
				throw new Failure('usage', `A choice for ${item} is missing.`, {
					hint: hintFor(session, item),
				});
			}

			const choice = words.join(' ');
			await (options.preview
				? previewAnswer(here, session, {item, choice, json: options.json ?? false})
				: decide(here, session, item, choice, options));
		});
};

const hintFor = ({state}: LastSession, id: string): string => {
	const item = inbox(state).find(item => item.id === id);
	return item === undefined
		? 'delegate-tui inbox lists what waits for you'
		: `take one of: ${item.choices.map(({choice}) => choice).join(', ')}${item.free ? ', or any text' : ''}`;
};

const decide = async (
	here: Here,
	session: LastSession,
	item: string,
	choice: string,
	options: Options,
): Promise<void> => {
	const given = {
		item,
		choice,
		...(options.note === undefined ? {} : {note: options.note}),
		...(await fromFile(here, session, item, choice, options.file)),
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

	try {
		return {note: await readFile(file, 'utf8')};
	} catch (error) {
		throw new Failure('usage', `The file ${file} can't be read.`, {cause: error});
	}
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

const askPerson = async (here: Here, session: LastSession, options: Options): Promise<void> => {
	const items = inbox(session.state);
	if (options.json) {
		printJson({items});
		return;
	}

	if (items.length === 0) {
		print('Nothing waits for you.');
		return;
	}

	print(items.map(item => itemText(item, here.folder.store, columnsHere())).join('\n\n'));
	if (!process.stdin.isTTY) {
		return;
	}

	const terminal = createInterface({input: process.stdin, output: process.stdout});
	try {
		const [first] = items;
		const item = (await terminal.question(`\nItem [${first?.id}]: `)).trim() || (first?.id ?? '');
		let refusal: string | undefined;
		do {
			const choice = (await terminal.question('Your choice: ')).trim();
			refusal = await decide(here, session, item, choice, options).then(
				() => undefined,
				error => refusalOf(here, item, error),
			);
			if (refusal !== undefined) {
				print(refusal);
			}
		} while (refusal !== undefined);
	} finally {
		terminal.close();
	}
};

/** Returns why a choice was refused of an item that still waits, so that the person can take another; anything else ends the command. */
const refusalOf = async (here: Here, item: string, error: unknown): Promise<string> => {
	const {message, hint} = asFailure(error);
	const {state} = await requireActiveSession(here);
	if (itemOf(state, item) === undefined) {
		throw error;
	}

	return hint === undefined ? message : `${message} (${hint})`;
};
