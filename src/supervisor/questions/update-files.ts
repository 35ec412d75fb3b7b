import {constants, existsSync} from 'node:fs';
import {realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join, sep} from 'node:path';
import {
	isFileId,
	type Plain,
	type QuestionHome,
	readPlain,
	roomsOf,
} from '../../control/questions/home.ts';
import {isIn} from '../../lib/files/folders.ts';
import {isThere, openRegularFile, readEnd} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {defined} from '../../lib/values.ts';
import {auditLine, type QuestionRecord} from '../../rules/question-record.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {optionsOf} from '../../state/items/question/answer.ts';
import {agentOf, isLive} from '../../state/select.ts';
import {inside, isPrepared, ownHome} from './own-folders.ts';
import {
	askedWith,
	fileOf,
	homeOf,
	inFolderOf,
	innerName,
	looksHere,
	looksItself,
	type Room,
	withoutClaims,
} from './room.ts';

/** Maximum length of a question file, in bytes. */
export const maximumBytes = 256 * 1024;

/**
Brings the files of a question up to date; it reads each before writing, so that a repetition changes nothing.

@returns true if the question never needs another update
*/
export const updateFiles = async (room: Room, record: QuestionRecord): Promise<boolean> => {
	const agent = agentOf(room.state(), record.agent);
	const isParked = record.escalated || (agent !== undefined && !isLive(agent));
	if (record.closed === undefined) {
		await writePending(room, record);
		await (isParked ? ownCheckpoint(room, record) : undefined);
		return false;
	}

	await audit(room, record);
	await (isParked ? ownCheckpoint(room, record) : undefined);
	await writeUserAnswer(room, record);
	return moveToAnswered(room, record);
};

/** Writes the shared file of a question. A shared file that an agent wrote stays; one in the agent's own folder is copied. */
const writePending = async (room: Room, record: QuestionRecord): Promise<void> => {
	if (record.file !== undefined && record.file.inner === undefined) {
		return;
	}

	const wanted = record.file === undefined ? ownText(room, record) : await innerText(room, record);
	const path = join(room.home.pending, `${fileOf(record)}.json`);
	const found = await readPlain(path, maximumBytes);
	if (wanted !== undefined && (found.kind !== 'text' || found.text !== wanted)) {
		await writeAtomically(path, wanted, {mode: 0o600});
	}
};

const ownText = (room: Room, record: QuestionRecord): string =>
	textOf(pendingJson(record, `${room.session}_${record.agent}`, checkpointPath(room.home, record)));

/** Returns the content of an agent's own file with the agent's name; `undefined` if it can't be read. */
const innerText = async (room: Room, record: QuestionRecord): Promise<string | undefined> => {
	const found = await readInner(room, record);
	const fields = found.kind === 'text' ? readJsonObject(found.text) : undefined;
	return fields && textOf({...withoutClaims(room.session, fields), asked_by: record.agent});
};

const readInner = async (room: Room, record: QuestionRecord): Promise<Plain> =>
	(await inFolderOf(room, record, 'pending', folder =>
		readPlain(join(folder, `${innerName(record)}.json`), maximumBytes),
	)) ?? {kind: 'nothing'};

const textOf = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Archives a question's file. A working agent removes its own file, and may fail if it is missing. */
const moveToAnswered = async (room: Room, record: QuestionRecord): Promise<boolean> => {
	const name = fileOf(record);
	const together = askedWith(room, record);
	const pending = join(room.home.pending, `${name}.json`);
	const answered = join(room.home.answered, `${name}.json`);
	const [left, there] = await Promise.all(
		[pending, answered].map(path => readPlain(path, maximumBytes)),
	);
	const isLeft = left?.kind !== 'nothing';
	if (together.some(({closed}) => closed === undefined) || (isLeft && looksHere(room, record))) {
		return false;
	}

	if (isLeft || there?.kind === 'nothing') {
		const asked = left?.kind === 'text' ? readJsonObject(left.text) : undefined;
		const workflow = record.file?.workflow ?? `${room.session}_${record.agent}`;
		const fields = asked ?? pendingJson(record, workflow, checkpointPath(room.home, record));
		const [only, ...others] = together;
		const ends =
			others.length === 0
				? answeredJson(only ?? record)
				: {answers: together.map(one => ({id: one.question.id, ...answeredJson(one)}))};
		await writeAtomically(answered, textOf({...fields, ...ends}), {mode: 0o600});
		await rm(pending, {force: true});
	}

	return record.file?.inner === undefined || putAwayInner(room, record);
};

/** Removes the agent's own file of a question once the agent no longer polls; returns whether it is gone. */
const putAwayInner = async (room: Room, record: QuestionRecord): Promise<boolean> => {
	if (looksItself(room, record)) {
		return (await readInner(room, record)).kind === 'nothing';
	}

	await inFolderOf(room, record, 'pending', folder =>
		rm(join(folder, `${innerName(record)}.json`), {force: true}),
	);
	return true;
};

/** Length of the end of the log that is searched for a line from before a crash, in bytes. */
const tailBytes = 1024 ** 2;

/** Logs an answer once, even across restarts. */
const audit = async (room: Room, record: QuestionRecord): Promise<void> => {
	const {closed} = record;
	if (closed?.how !== 'answered') {
		return;
	}

	const line = auditLine(record, closed);
	await using log = await openRegularFile(room.home.audit, readAndAppend, 0o600);
	const tail = await readEnd(log, tailBytes);
	if (!tail.split('\n').includes(line)) {
		const start = tail === '' || tail.endsWith('\n') ? '' : '\n';
		await log.appendFile(`${start}${line}\n`);
	}
};

const readAndAppend = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

const pendingJson = (record: QuestionRecord, workflow: string, checkpoint: string) => ({
	question: record.question.question,
	options: optionsOf(record.question),
	workflow_id: workflow,
	checkpoint,
	asked_at: record.askedAt,
	asked_by: record.agent,
	context: record.question.context ?? record.workStatus?.blockedAt ?? '',
	...defined({
		type: record.question.type,
		pattern: record.question.pattern,
		multi: record.question.multi,
		urgent: record.question.urgent,
		blocked_at: record.workStatus?.blockedAt,
		current_state: record.workStatus?.currentState,
	}),
	required: record.question.required,
	group: record.group,
	deadline: record.deadline,
});

/** Returns the fields that are added to the file of a closed question. */
const answeredJson = ({closed}: QuestionRecord) =>
	closed?.how === 'answered'
		? {
				answer: closed.answer,
				...defined({note: closed.note}),
				answered_at: closed.at,
				answered_by: closed.by,
				answered_from: closed.from,
				path: closed.path,
			}
		: {answer: null, ...defined({closed_at: closed?.at})};

/** Returns the text that an agent reads as the answer to one file: several questions have one line each, with the name; null if there is no answer yet. */
export const answersText = (records: readonly QuestionRecord[]): string | null => {
	const lines = records.flatMap(({question, closed}) =>
		closed?.how !== 'answered'
			? []
			: [records.length === 1 ? closed.answer : `${question.id ?? ''}: ${closed.answer}`],
	);
	return lines.length === 0 ? null : lines.join('\n');
};

/** Returns the checkpoint of an agent that waits for an answer, or continues with it. */
const checkpointJson = (
	{workStatus, question}: QuestionRecord,
	agent: Agent,
	given: {readonly workflow: string; readonly tree: string; readonly answer: string | null},
) => {
	const snapshot = agent.snapshots.at(-1);
	return {
		workflow_id: given.workflow,
		workflow_type: 'delegate-tui',
		current_step: workStatus?.blockedAt ?? agent.updates.phase ?? agent.subtask.subtask,
		completed_steps: workStatus?.currentState === undefined ? [] : [workStatus.currentState],
		pending_steps: [agent.subtask.goal ?? agent.subtask.subtask],
		files: {worktree: given.tree},
		state_variables: {
			agent: agent.id,
			progress: agent.progress,
			...defined({snapshot: snapshot?.number, commit: snapshot?.commit}),
		},
		context: question.context ?? question.question,
		next_action: `go on with the answer to: ${question.question}`,
		user_answer: given.answer,
	};
};

const maximumCheckpointBytes = 1024 ** 2;

/** Returns the path of a question's checkpoint: the one that the agent named, or ours. */
const checkpointPath = (home: QuestionHome, record: QuestionRecord): string =>
	record.file?.checkpoint ?? ownCheckpointPath(home, fileOf(record));

/** Returns the path of our own checkpoint for a question of that name. */
export const ownCheckpointPath = (home: QuestionHome, name: string): string =>
	join(home.workflows, `${name}_checkpoint.json`);

/** Writes the checkpoint that an agent needs to continue, if it doesn't write one itself. */
const ownCheckpoint = async (room: Room, record: QuestionRecord): Promise<void> => {
	const agent = agentOf(room.state(), record.agent);
	if (record.file?.checkpoint !== undefined || agent === undefined) {
		return;
	}

	const workflow = record.file?.workflow ?? `${room.session}_${record.agent}`;
	const {tree} = room.folder.agent(record.agent);
	const together = askedWith(room, record);
	const [first = record] = together;
	const answer = answersText(together);
	const fields = checkpointJson(first, agent, {workflow, tree, answer});
	const wanted = `${JSON.stringify(fields, undefined, 2)}\n`;
	const write = async (workflows: string): Promise<void> => {
		const path = join(workflows, basename(ownCheckpointPath(room.home, fileOf(record))));
		const found = await readPlain(path, maximumCheckpointBytes);
		if (found.kind !== 'text' || found.text !== wanted) {
			await writeAtomically(path, wanted, {mode: 0o600});
		}
	};
	await write(room.home.workflows);
	await (record.file?.inner && inFolderOf(room, record, 'workflows', write));
};

/**
Writes the answer into the checkpoint of an agent that left the question to a person.

The agent names that file, and could name one that it can't write: so the file must be the checkpoint of the same workflow, in a place where agents may write.
*/
const writeUserAnswer = async (room: Room, record: QuestionRecord): Promise<void> => {
	const {file, escalated, closed} = record;
	const path = file?.checkpoint && pathSeen(room, record, file.checkpoint);
	const workflow = file?.workflow;
	if (path === undefined || workflow === undefined || !escalated || closed?.how !== 'answered') {
		return;
	}

	const answer = answersText(askedWith(room, record));
	await inReach(room, record, dirname(path), async folder => {
		const inside = join(folder, basename(path));
		const found = await readPlain(inside, maximumCheckpointBytes);
		const fields = found.kind === 'text' ? readJsonObject(found.text) : undefined;
		if (fields?.workflow_id === workflow && fields.user_answer !== answer) {
			await writeAtomically(inside, textOf({...fields, user_answer: answer}));
		}
	});
};

/** Returns the problem with the checkpoint from which an agent continues after an answer, or with the question file that it named, in the words of the file protocol. */
export const fileError = async (
	room: Room,
	record: QuestionRecord,
): Promise<string | undefined> => {
	const {file, escalated, question} = record;
	if (!escalated) {
		return undefined;
	}

	const checkpoint = file?.checkpoint;
	if (checkpoint !== undefined) {
		const found = await readPlain(pathSeen(room, record, checkpoint), maximumCheckpointBytes);
		const why =
			found.kind === 'text' && readJsonObject(found.text) === undefined
				? 'it is not a JSON object'
				: found.kind === 'unreadable'
					? found.why
					: undefined;
		const what = found.kind === 'nothing' ? 'missing' : why && `unreadable (${why})`;
		return what && `ERROR: Checkpoint file ${what}. Cannot resume workflow. It is ${checkpoint}.`;
	}

	const {id = ''} = question;
	const left = file === undefined && isFileId(id) && id !== record.id;
	const own = ownHome(room.folder, record.agent);
	const hasOwn = left && (await isThere(own.path)) && (await isPrepared(own));
	for (const {pending} of left ? [room.home, ...(hasOwn ? [own] : [])] : []) {
		const path = join(pending, `${id}.json`);
		const found = await readPlain(path, maximumBytes);
		if (found.kind !== 'nothing') {
			const why = found.kind === 'unreadable' ? ` (${found.why})` : '';
			return `ERROR: Question file for ${id} can’t be read as a question${why}. It is ${path}.`;
		}
	}

	return undefined;
};

/** Returns the path outside the sandbox: the agent may have its own folders in place of the shared ones. */
const pathSeen = (room: Room, record: QuestionRecord, path: string): string => {
	const {temporary} = room.folder.agent(record.agent);
	const inTemporary = path.startsWith('/tmp/') ? join(temporary, path.slice('/tmp'.length)) : path;
	if (inTemporary !== path && existsSync(inTemporary)) {
		return inTemporary;
	}

	const home = homeOf(room, record);
	const [common, own] = [room.home, home].map(roomsOf);
	const index = common?.findIndex(folder => path.startsWith(folder + sep)) ?? -1;
	const from = common?.[index] ?? '';
	return index === -1 ? path : join(own?.[index] ?? from, path.slice(from.length));
};

/** Lends the path of a folder in which the agent may write. */
const inReach = async (
	room: Room,
	record: QuestionRecord,
	path: string,
	use: (folder: string) => Promise<void>,
): Promise<void> => {
	const {tree, temporary} = room.folder.agent(record.agent);
	const {path: own} = homeOf(room, record);
	const [real, ...folders] = await Promise.all(
		[path, room.home.path, own, tree, temporary, tmpdir(), '/tmp'].map(folder =>
			realpath(folder).catch(() => undefined),
		),
	);
	const above = folders.find(
		folder => folder !== undefined && real !== undefined && isIn(folder, real),
	);
	await (above && real && inside(above, real, use));
};
