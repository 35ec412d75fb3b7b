import type {Command} from 'commander';
import {itemText} from '../../client/texts/item-text.ts';
import type {Subject} from '../../control/subject.ts';
import type {BodyOf} from '../../events/event.ts';
import {exitCodes, Failure, failureText} from '../../lib/failure.ts';
import {quotedBlock} from '../../lib/text/quoted-block.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {defined} from '../../lib/values.ts';
import {whyGone} from '../../rules/commands/why-not.ts';
import {inbox} from '../../rules/inbox.ts';
import {doubtsTold, type Item, type ItemOf} from '../../state/item.ts';
import {conflictWords} from '../../state/items/conflict/conflict.ts';
import {checkWords, outcomeCheckName} from '../../state/items/conflict/outcome-check.ts';
import {openInGroup, optionsOf} from '../../state/items/question/answer.ts';
import {readChoice} from '../../state/items.ts';
import {itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {addedInFile, type DecideOptions, decideItem, explainRefusal} from '../answering/decide.ts';
import {followLogWhile} from '../answering/follow-log-while.ts';
import {followAwake} from '../follow-session.ts';
import {findHere, type Here, type LastSession, requireActiveSession} from '../here.ts';
import {columnsHere, print, printJson} from '../output.ts';
import {takeTokenFrom} from '../own-token.ts';
import {addedBy} from '../plan/added-by.ts';
import type {TerminalQuestions} from '../questions.ts';
import {askSupervisor, eventIn, requirePerson} from '../reach-supervisor.ts';
import {inboxItems} from './inbox.ts';

type Options = DecideOptions & {
	readonly preview?: boolean;
	readonly verify?: boolean;
	readonly tokenFile?: string;
};

export const addAnswer = (program: Command): void => {
	program
		.command('answer [item] [choice...]')
		.description('decide an inbox item; without a choice: show it, or list all, and ask')
		.option(
			'--note <text>',
			'what the agent is told with the decision; with edit: what the new agent is to do',
		)
		.option(
			'--file <file>',
			'a file with the plan that replaces the proposed one, a patch with the part of its work to take, the subtask of a new agent, or a note',
		)
		.option('--agent <profile>', 'with retry: the profile that it uses from now on')
		.option('--anyway', 'approve, or take files, despite the doubts that the item shows by now')
		.option('--same', 'answer every agent that asks the same question')
		.option(
			'--preview',
			'only show the outcome of a choice about a conflict or of a set-back, or the subtask of the agent that it adds',
		)
		.option('--verify', 'with --preview: run the check on the outcome first')
		.option('--token-file <file>', 'a file with the token by which a script decides for you')
		.option('--json', 'as JSON')
		.action(answerItem);
};

/** Decides an item, shows the result of a choice, or asks a person. */
export const answerItem = async (
	item: string | undefined,
	words: readonly string[],
	options: Options,
): Promise<void> => {
	if (options.tokenFile !== undefined) {
		takeTokenFrom(options.tokenFile);
	}

	const here = await findHere();
	if (item !== undefined) {
		requirePerson(here);
	}

	const session = await requireActiveSession(here);
	const isAsked = words.length === 0 && !options.preview && !options.json && process.stdin.isTTY;
	if (item === undefined || isAsked) {
		await askPerson(here, session, options, item);
		return;
	}

	if (words.length === 0) {
		throw new Failure('usage', `A choice for ${item} is missing.`, {
			hint: hintFor(session, item),
		});
	}

	const choice = words.join(' ');
	if (options.verify && !options.preview) {
		throw new Failure(
			'usage',
			'--verify goes with --preview; without it, the result of a choice is checked anyway.',
		);
	}

	const added = options.preview && addedBy(session.state, item, choice, options.note);
	if (added) {
		const {subtask} =
			options.file === undefined
				? {subtask: added.draft}
				: await addedInFile(here, session.state, added, options.file);
		const {subtaskText} = await import('../../rules/plan/subtask-file.ts');
		// A person edits it and passes it back with `--file`.
		print(subtaskText(subtask).trimEnd());
		return;
	}

	await (options.preview
		? previewAnswer(here, session, {item, choice, ...previewOptions(options)})
		: decideItem(here, session, item, choice, options));
};

const previewOptions = ({json = false, verify = false}: Options) => ({json, verify});

const hintFor = ({state}: LastSession, id: string): string => {
	const item = inbox(state).find(item => item.id === id);
	return item === undefined
		? 'delegate-tui inbox lists what waits for you'
		: `take one of: ${item.choices.map(({choice}) => choice).join(', ')}${item.free ? ', or an answer of your own' : ''}`;
};

/**
Lists the waiting items, and in a terminal asks for a decision; an agent's questions of one signal are asked together.

@param named The only item to ask about, for a person who was told of it.
*/
const askPerson = async (
	here: Here,
	session: LastSession,
	options: DecideOptions,
	named?: string,
): Promise<void> => {
	const items = (await inboxItems(session)).filter(({id}) => named === undefined || id === named);
	if (options.json) {
		printJson({items});
		return;
	}

	if (items.length === 0) {
		if (named !== undefined) {
			throw await whyNotThere(session, named);
		}

		print('Nothing waits for you.');
		return;
	}

	print(items.map(item => itemText(item, here.folder.store, columnsHere())).join('\n\n'));
	if (!process.stdin.isTTY) {
		return;
	}

	const {withQuestions} = await import('../questions.ts');
	await withQuestions('Nothing was decided.', async questions => {
		const id = named ?? (await askItem(questions, items[0]?.id ?? ''));
		await untilGranted(here, id, questions, () => ask(here, session, questions, id, options));
	});
};

const whyNotThere = (session: LastSession, id: string): Promise<unknown> =>
	explainRefusal(
		session,
		id,
		new Failure('refused', whyGone(session.state, id), {
			hint: 'delegate-tui inbox lists what waits for you',
		}),
	);

const askItem = async ({ask}: TerminalQuestions, first: string): Promise<string> =>
	(await ask(`\nItem [${first}]: `)) || first;

const ask = async (
	here: Here,
	session: LastSession,
	questions: TerminalQuestions,
	id: string,
	options: DecideOptions,
): Promise<void> => {
	const item = itemOf(session.state, id);
	const group = item?.kind === 'question' ? openInGroup(session.state, item) : [];
	if (group.length > 1) {
		await answerGroup(here, group, questions.ask);
		return;
	}

	const choice = await questions.ask('Your choice: ');
	await decideItem(here, session, id, choice, {...options, anyway: true});
};

/** Retries while the item waits, and prints the reason of each refusal. */
const untilGranted = async (
	here: Here,
	item: string,
	{isOver}: TerminalQuestions,
	attempt: () => Promise<void>,
): Promise<void> => {
	for (let isGranted = false; !isGranted; ) {
		isGranted = await attempt().then(
			() => true,
			async error => {
				if (isOver()) {
					throw error;
				}

				print(await refusalOf(here, item, error));
				return false;
			},
		);
	}
};

/** Returns the reason of a refusal if the item still waits as it was shown, so that the person can make another choice; other errors end the command. */
const refusalOf = async (here: Here, item: string, error: unknown): Promise<string> => {
	const {state} = await requireActiveSession(here);
	const waiting = itemOf(state, item);
	if (waiting === undefined || doubtsTold(waiting) !== undefined) {
		throw error;
	}

	return failureText(error);
};

/**
Asks for an answer to each question of a group, and sends all of them together; an empty answer leaves its question open.

@throws `Failure` of kind `refused` if one of the answers is invalid; then none was sent.
*/
const answerGroup = async (
	here: Here,
	group: readonly ItemOf<'question'>[],
	ask: TerminalQuestions['ask'],
): Promise<void> => {
	const answers: {item: string; choice: string}[] = [];
	for (const [index, item] of group.entries()) {
		print(`\n${questionText(item, `${index + 1} of ${group.length}`)}`);
		const choice = await ask('Your answer (empty: leave it open): ');
		if (choice !== '') {
			answers.push({item: item.id, choice});
		}
	}

	if (answers.length === 0) {
		print('Nothing was answered.');
		return;
	}

	await askSupervisor(here, {do: 'answer', by: 'user', answers});
	print(answers.map(({item, choice}) => `${item}: ${choice}`).join('\n'));
};

const questionText = ({id, question, anyAnswer}: ItemOf<'question'>, position: string): string => {
	const need = anyAnswer ? 'any of them is enough' : question.required ? 'required' : 'optional';
	const options = optionsOf(question).join(' | ');
	const columns = columnsHere();
	return [
		`${position}  ${id}, ${need}`,
		quotedBlock(question.question, {indent: '  ', columns}),
		...(options === '' ? [] : [quotedBlock(sanitize(options), {indent: '    ', columns})]),
	].join('\n');
};

export type PreviewOptions = {
	readonly item: string;
	readonly choice: string;
	readonly json: boolean;
	/** True if the check is to be run on the result first. */
	readonly verify: boolean;
};

/**
Prints the result of a choice about a conflict, or the changes of a restore; decides nothing.

@throws `Failure` if the choice has nothing to preview.
*/
const previewAnswer = async (
	here: Here,
	session: LastSession,
	{item, choice, json, verify}: PreviewOptions,
): Promise<void> => {
	const found = itemOf(session.state, item);
	const what = whatToShow(session.state, found, {item, choice});
	const checked =
		verify && (found === undefined || found.kind === 'conflict')
			? await checkOutcome(here, session, {item, choice}, json ? () => {} : print)
			: undefined;
	if (checked !== undefined && checked.outcome !== 'green') {
		process.exitCode = exitCodes.refused;
	}

	const {fetchResource} = await import('../../client/resources/resources.ts');
	const {lines, remark, preview} = await fetchResource(
		request => askSupervisor(here, request),
		what,
	);
	if (json) {
		printJson({
			...{item, choice},
			...defined({preview, remark, checked}),
			diff: lines.join('\n'),
		});
		return;
	}

	const told = [...(preview?.words ?? []), ...(remark === undefined ? [] : [remark]), '', ...lines];
	print(told.map(line => sanitize(line)).join('\n'));
};

/** Returns the subject of the preview; for an agent's item only a restore has one. */
const whatToShow = (
	state: State,
	item: Item | undefined,
	{item: id, choice}: Pick<PreviewOptions, 'item' | 'choice'>,
): Subject => {
	const read = item && readChoice(state, item, choice);
	if (item !== undefined && 'agent' in item && read !== undefined && 'snapshot' in read) {
		return {of: 'restore', agent: item.agent, snapshot: read.snapshot};
	}

	if (item !== undefined && item.kind !== 'conflict') {
		throw new Failure('usage', `"${choice}" for ${id} has no preview.`, {
			hint: 'only choices about a conflict, and those that set a worktree back, have one',
		});
	}

	return {of: 'outcome', item: id, choice};
};

/**
Has the result of a choice checked, prints the check's output, and returns its outcome; an interrupt by the person stops it.

@throws `Failure` of kind `refused` if it was stopped, or the conflict was decided meanwhile.
*/
const checkOutcome = async (
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

/** Waits for the outcome of the check that was requested by the event of this number. */
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

/** Returns the reason why a check has no outcome any more; nothing while it runs. */
const whyStopped = (state: State, {item: id, since}: Check): string | undefined => {
	const item = itemOf(state, id);
	if (state.session?.ended) {
		return 'the session has ended';
	}

	if (item?.kind !== 'conflict') {
		return `${id} is no longer open`;
	}

	if (item.checking === undefined) {
		return 'it is no longer waited for';
	}

	return item.checking.since === since
		? undefined
		: `${conflictWords(item.checking.choice)} is checked instead`;
};
