import {realpath} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, sep} from 'node:path';
import {type QuestionHome, readPlain, roomsOf} from '../../control/questions/home.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import type {QuestionRecord} from '../../rules/questions/record.ts';
import {agentOf} from '../../state/select.ts';
import {askedWith, fileOf, homeOf, type Room} from './room.ts';
import {answersText, checkpointJson} from './update-files.ts';

const maximumBytes = 1024 ** 2;

/** Returns where the checkpoint of a question lies: where its agent says, else among ours. */
export const checkpointPath = (home: QuestionHome, record: QuestionRecord): string =>
	record.file?.checkpoint ?? ownCheckpointPath(home, fileOf(record));

/** Returns where our own checkpoint for a question of that name lies. */
export const ownCheckpointPath = (home: QuestionHome, name: string): string =>
	join(home.workflows, `${name}_checkpoint.json`);

/** Writes what an agent needs to go on, where it doesn't keep that itself. */
export const ownCheckpoint = async (room: Room, record: QuestionRecord): Promise<void> => {
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
	for (const home of new Set([room.home, homeOf(room, record)])) {
		const path = ownCheckpointPath(home, fileOf(record));
		const found = await readPlain(path, maximumBytes);
		if (found.kind !== 'text' || found.text !== wanted) {
			await writeAtomically(path, wanted, {mode: 0o600});
		}
	}
};

/**
Writes the answer into the checkpoint that an agent keeps itself, if it left the question to a person.

An agent names that file, and may name one that it could not write: so it must be the checkpoint of that very workflow, and lie where agents may write.
*/
export const writeUserAnswer = async (room: Room, record: QuestionRecord): Promise<void> => {
	const {file, escalated, closed} = record;
	const path = file?.checkpoint && pathSeen(room, record, file.checkpoint);
	const workflow = file?.workflow;
	if (path === undefined || workflow === undefined || !escalated || closed?.how !== 'answered') {
		return;
	}

	const found = (await isInReach(room, record, path)) ? await readPlain(path, maximumBytes) : null;
	const fields = found?.kind === 'text' ? readJsonObject(found.text) : undefined;
	if (fields !== undefined && fields.workflow_id === workflow) {
		const answer = answersText(askedWith(room, record));
		if (fields.user_answer !== answer) {
			await writeAtomically(
				path,
				`${JSON.stringify({...fields, user_answer: answer}, undefined, 2)}\n`,
			);
		}
	}
};

/** Returns what an agent means by a path: where others have the common folders it may have its own. */
const pathSeen = (room: Room, record: QuestionRecord, path: string): string => {
	const home = homeOf(room, record);
	const [common, own] = [room.home, home].map(roomsOf);
	const index = common?.findIndex(folder => path.startsWith(folder + sep)) ?? -1;
	const from = common?.[index] ?? '';
	return index === -1 ? path : join(own?.[index] ?? from, path.slice(from.length));
};

const isInReach = async (room: Room, record: QuestionRecord, path: string): Promise<boolean> => {
	const {tree} = room.folder.agent(record.agent);
	const {path: own} = homeOf(room, record);
	const [real, ...folders] = await Promise.all(
		[path, room.home.path, own, tree, tmpdir(), '/tmp'].map(folder =>
			realpath(folder).catch(() => undefined),
		),
	);
	return folders.some(folder => folder !== undefined && real?.startsWith(folder + sep));
};
