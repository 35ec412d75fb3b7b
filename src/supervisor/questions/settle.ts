import {constants} from 'node:fs';
import {type FileHandle, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {readPlain} from '../../control/questions/read-plain.ts';
import {openRegularFile} from '../../lib/files/open-regular-file.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {readJsonObject} from '../../lib/text/json-object.ts';
import {auditLine} from '../../rules/questions/audit-line.ts';
import type {QuestionRecord} from '../../rules/questions/record.ts';
import {agentOf, isLive} from '../../state/select.ts';
import {checkpointPath, ownCheckpoint, writeUserAnswer} from './checkpoint.ts';
import {answeredJson, pendingJson} from './question-json.ts';
import {askedWith, fileOf, looksItself, type Room} from './room.ts';

/** No file of a question is longer. */
export const maximumBytes = 256 * 1024;

/**
Brings the files of a question to what is known of it; each is looked at before it is written, so doing it again changes nothing.

@returns whether nothing is left to be done for it, ever
*/
export const settle = async (room: Room, record: QuestionRecord): Promise<boolean> => {
	const agent = agentOf(room.state(), record.agent);
	const isParked = record.escalated || (agent !== undefined && !isLive(agent));
	if (record.closed === undefined) {
		await (record.file === undefined ? writePending(room, record) : undefined);
		await (isParked ? ownCheckpoint(room, record) : undefined);
		return false;
	}

	await audit(room, record);
	await (isParked ? ownCheckpoint(room, record) : undefined);
	await writeUserAnswer(room, record);
	return moveToAnswered(room, record);
};

const writePending = async (room: Room, record: QuestionRecord): Promise<void> => {
	const workflow = `${room.session}_${record.agent}`;
	const wanted = textOf(pendingJson(record, workflow, checkpointPath(room.home, record)));
	const path = join(room.home.pending, `${record.id}.json`);
	const found = await readPlain(path, maximumBytes);
	if (found.kind !== 'text' || found.text !== wanted) {
		await writeAtomically(path, wanted, {mode: 0o600});
	}
};

const textOf = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The file of an agent that is at work is left to it: it removes that itself, and may end over one that it misses. */
const moveToAnswered = async (room: Room, record: QuestionRecord): Promise<boolean> => {
	const name = fileOf(record);
	const together = askedWith(room, record);
	const pending = join(room.home.pending, `${name}.json`);
	const answered = join(room.home.answered, `${name}.json`);
	const [left, there] = await Promise.all(
		[pending, answered].map(path => readPlain(path, maximumBytes)),
	);
	const isLeft = left?.kind !== 'nothing';
	if (together.some(({closed}) => closed === undefined) || (isLeft && looksItself(room, record))) {
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

	return true;
};

/** So much of the end of the log is looked through for a line that a crash may have left. */
const tailBytes = 1024 ** 2;

/** An answer has one line, however often its supervisor starts. */
const audit = async (room: Room, record: QuestionRecord): Promise<void> => {
	const {closed} = record;
	if (closed?.how !== 'answered') {
		return;
	}

	const line = auditLine(record, closed);
	await using log = await openRegularFile(room.home.audit, readAndAppend, 0o600);
	const tail = await tailOf(log);
	if (!tail.split('\n').includes(line)) {
		const start = tail === '' || tail.endsWith('\n') ? '' : '\n';
		await log.appendFile(`${start}${line}\n`);
	}
};

const readAndAppend = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

const tailOf = async (file: FileHandle): Promise<string> => {
	const {size} = await file.stat();
	const bytes = Buffer.alloc(Math.min(size, tailBytes));
	await file.read(bytes, 0, bytes.length, size - bytes.length);
	return bytes.toString();
};
