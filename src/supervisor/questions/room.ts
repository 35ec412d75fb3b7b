import {lstat} from 'node:fs/promises';
import {isAbsolute, join, resolve} from 'node:path';
import type {QuestionHome} from '../../control/questions/home.ts';
import type {Body} from '../../events/event.ts';
import {isIn} from '../../lib/files/folders.ts';
import {ifThere} from '../../lib/files/reading.ts';
import type {QuestionRecord} from '../../rules/question-record.ts';
import {agentOf, broughtOutName, isLive, outerName} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';
import {inside, ownHome} from './own-folders.ts';

/** Dependencies of a session's question files. */
export type Room = {
	readonly home: QuestionHome;
	readonly session: string;
	readonly folder: SessionFolder;
	readonly state: () => State;
	readonly records: () => readonly QuestionRecord[];
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** Answers a question on behalf of a file's owner; rejects with the reason for a refusal. */
	readonly answer: (item: string, text: string, owner: number) => Promise<void>;
	/** Schedules another look in some milliseconds. */
	readonly again: (ms: number) => void;
};

/** Returns the name of a question's file, without its ending. */
export const fileOf = ({file, id}: QuestionRecord): string => file?.id ?? id;

/** Returns whether the agent of a question is working and polls for the answer in a file. */
export const looksItself = (room: Room, {agent: id, file, escalated}: QuestionRecord): boolean => {
	const agent = agentOf(room.state(), id);
	return file !== undefined && !escalated && agent !== undefined && isLive(agent);
};

/** Returns whether the agent also removes an answer in the person's folder. */
export const looksHere = (room: Room, record: QuestionRecord): boolean =>
	record.file?.inner === undefined && looksItself(room, record);

/** Returns the folders with the files of a question's agent: the shared ones, or its own. */
export const homeOf = ({home, folder}: Room, {agent, file}: QuestionRecord): QuestionHome =>
	file?.inner === undefined ? home : ownHome(folder, agent);

/** Lends the path of a folder with files of a question's agent; `undefined` if the agent has put something else in the place of its own one. */
export const inFolderOf = async <Result>(
	room: Room,
	record: QuestionRecord,
	name: 'answers' | 'pending' | 'workflows',
	use: (folder: string) => Promise<Result>,
): Promise<Result | undefined> => {
	const home = homeOf(room, record);
	return home === room.home ? use(home[name]) : inside(home.path, home[name], use);
};

/** Returns the agent's name for the question's file, without its ending. */
export const innerName = (record: QuestionRecord): string => record.file?.inner ?? fileOf(record);

export const askedWith = (room: Room, {file, group, item}: QuestionRecord) =>
	room
		.records()
		.filter(other =>
			file === undefined
				? other.item === item
				: other.file?.id === file.id && other.group === group,
		);

/** Time for which a file may be half written, in milliseconds. */
export const halfWrittenMs = 2000;

/** Claims in a question file about its agent. */
export type ClaimedFile = {
	/** Name of the file without its ending. */
	readonly id: string;
	readonly workflow: string;
	readonly askedBy: string;
	/** Paths in the file: of its checkpoint, of its folder. */
	readonly paths: readonly string[];
};

/** Properties by which a file can identify an agent of the session. */
export type Claimant = {
	readonly id: string;
	/** Folder with all of the agent's files, including its worktree. */
	readonly folder: string;
	readonly isLive: boolean;
};

/**
Returns the agent of this session that wrote a question file, if one did.

All sessions and other tools share the folder, so a file must name the session, or a path of an agent; otherwise it belongs to none. If only one agent works in the session, naming the session is enough; otherwise the file must name the agent too.
*/
export const claimantOf = (
	claimed: ClaimedFile,
	session: string,
	agents: readonly Claimant[],
): string | undefined => {
	const byPath = agents.filter(({folder}) =>
		claimed.paths.some(path => isAbsolute(path) && isIn(folder, resolve(path))),
	);
	if (byPath.length === 1) {
		return byPath[0]?.id;
	}

	const words = [claimed.id, claimed.workflow, ...claimed.paths];
	if (!words.some(word => word.includes(session))) {
		return undefined;
	}

	const named = agents.filter(({id}) =>
		[claimed.askedBy, ...words].some(word => word.split(/[^A-Za-z0-9-]+/).includes(id)),
	);
	const live = agents.filter(({isLive}) => isLive);
	const [only, ...others] = named.length > 0 ? named : live;
	return others.length === 0 ? only?.id : undefined;
};

/** Returns whether the supervisor wrote the file of that name, even if its question has another file by now. */
export const isOurs = (room: Room, name: string): boolean =>
	room.records().some(({agent, item}) => name === outerName(room.session, agent, item));

/** Returns the shared name of an agent's own file: the agent's name for it, unless another question has it or may get it, in this session or in another. */
export const nameOutside = async (room: Room, agent: string, name: string): Promise<string> => {
	const isTaken =
		name.includes('DEL-') ||
		room
			.records()
			.some(record => record.agent !== agent && [record.id, fileOf(record)].includes(name)) ||
		(await ifThere(lstat(join(room.home.pending, `${name}.json`)))) !== undefined;
	return isTaken ? broughtOutName(room.session, agent, name) : name;
};

/** Returns the fields of an agent's own file without claims to belong to another session. */
export const withoutClaims = (
	session: string,
	fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
	Object.fromEntries(
		Object.entries(fields).filter(
			([key, value]) => !claims.has(key) || sessionsIn(value).every(id => id === session),
		),
	);

const claims: ReadonlySet<string> = new Set(['workflow_id', 'checkpoint', 'directory', 'cwd']);

const sessionsIn = (value: unknown): readonly string[] =>
	typeof value === 'string' ? (value.match(/DEL-[A-Za-z0-9]+/g) ?? []) : [];
