import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileId} from '../../control/questions/home.ts';
import {readPlain} from '../../control/questions/read-plain.ts';
import {ifThere} from '../../lib/files/if-there.ts';
import {agentOf, isLive} from '../../state/select.ts';
import {claimantOf} from './claim.ts';
import {type ReadQuestion, readQuestion} from './read-question.ts';
import {fileOf, looksItself, type Room} from './room.ts';
import {maximumBytes} from './settle.ts';

/** Returns how to look for questions that agents wrote into files themselves. */
export const createFinder = (
	room: Room,
	/** Items whose files are put away; a file of the same name is another one. */
	settled: ReadonlySet<string>,
): (() => Promise<void>) => {
	/** Files of others, as they were when they were looked at. */
	const strange = new Map<string, string>();

	const find = async (name: string): Promise<void> => {
		const id = name.slice(0, -ending.length);
		const records = room.records().filter(record => fileOf(record) === id);
		if (!isFileId(id) || isOurs(room, id) || records.some(({item}) => !settled.has(item))) {
			return;
		}

		const path = join(room.home.pending, name);
		const found = await ifThere(stat(path));
		const version = `${found?.mtimeMs} ${found?.size}`;
		const left = leftByName(room, id);
		if (left === undefined && strange.get(id) === version) {
			return;
		}

		const plain = await readPlain(path, maximumBytes);
		const read = plain.kind === 'text' ? readQuestion(id, plain) : undefined;
		const agent = read && (left ?? claimant(room, read));
		if (read === undefined || agent === undefined) {
			strange.set(id, version);
			return;
		}

		await room.tell([
			{
				kind: 'signal.said',
				agent,
				turn: agentOf(room.state(), agent)?.turn.number ?? 0,
				signal: read.signal,
				offset: await saidBytes(room, agent),
				by: 'file',
				file: read.file,
			},
		]);
	};

	return async () => {
		const names = (await readdir(room.home.pending)).filter(name => name.endsWith(ending));
		await withdraw(room, names);
		for (const name of names) {
			await find(name);
		}
	};
};

const ending = '.json';

/** One that we wrote, also if its question has another file by now. */
const isOurs = (room: Room, id: string): boolean =>
	room.records().some(({agent, item}) => id === `${room.session}_${agent}_${item}`);

/** The agent that left a question of that name to a person, before its file was seen. */
const leftByName = (room: Room, id: string): string | undefined =>
	room.records().find(({closed, escalated, file, question}) => {
		return closed === undefined && escalated && file === undefined && question.id === id;
	})?.agent;

const claimant = (room: Room, {claimed}: ReadQuestion): string | undefined =>
	claimantOf(
		claimed,
		room.session,
		room
			.state()
			.agents.filter(isLive)
			.map(({id}) => ({id, folder: room.folder.agent(id).path, isLive: true})),
	);

const saidBytes = async (room: Room, agent: string): Promise<number> => {
	const {turn} = agentOf(room.state(), agent) ?? {turn: {number: 0}};
	const found = await ifThere(stat(room.folder.agent(agent).transcript(turn.number)));
	return found?.size ?? 0;
};

/** An agent that takes its question away while it works has what it needs. */
const withdraw = async (room: Room, names: readonly string[]): Promise<void> => {
	const gone = room
		.records()
		.filter(
			record =>
				record.closed === undefined &&
				looksItself(room, record) &&
				!names.includes(`${fileOf(record)}${ending}`),
		);
	for (const file of new Set(gone.map(fileOf))) {
		const agent = gone.find(record => fileOf(record) === file)?.agent ?? '';
		await room.tell([{kind: 'question.withdrawn', agent, file}]);
	}
};
