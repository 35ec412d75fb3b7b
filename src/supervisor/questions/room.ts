import {lstat} from 'node:fs/promises';
import {join, resolve, sep} from 'node:path';
import type {QuestionHome} from '../../control/questions/home.ts';
import type {Body} from '../../events/event.ts';
import {ifThere} from '../../lib/files/reading.ts';
import type {QuestionRecord} from '../../rules/question-record.ts';
import {agentOf, broughtOutName, isLive, outerName} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';
import {ownHome} from './own-folders.ts';

/** Dependencies of a session's question files. */
export type Room = {
	readonly home: QuestionHome;
	readonly session: string;
	readonly folder: SessionFolder;
	readonly state: () => State;
	readonly records: () => readonly QuestionRecord[];
	readonly append: (bodies: readonly Body[]) => Promise<void>;
	/** Answers a question for the owner of a file; fails with the reason against it. */
	readonly answer: (item: string, text: string, owner: number) => Promise<void>;
	/** Asks for another look, some milliseconds from now. */
	readonly again: (ms: number) => void;
};

/** Returns the name of the file of a question, without its ending. */
export const fileOf = ({file, id}: QuestionRecord): string => file?.id ?? id;

/** Returns whether the agent of a question is at work, and looks for the answer in a file by itself. */
export const looksItself = (room: Room, {agent: id, file, escalated}: QuestionRecord): boolean => {
	const agent = agentOf(room.state(), id);
	return file !== undefined && !escalated && agent !== undefined && isLive(agent);
};

/** Returns whether an answer in the person's folder is for its agent to take away, too. */
export const looksHere = (room: Room, record: QuestionRecord): boolean =>
	record.file?.inner === undefined && looksItself(room, record);

/** Returns where the agent of a question has its files: among all others, or for itself. */
export const homeOf = ({home, folder}: Room, {agent, file}: QuestionRecord): QuestionHome =>
	file?.inner === undefined ? home : ownHome(folder, agent);

/** Returns the name that its agent has for the file of a question, without its ending. */
export const innerName = (record: QuestionRecord): string => record.file?.inner ?? fileOf(record);

/** Returns the questions that were asked together with one, in the same file. */
export const askedWith = (room: Room, {file, group, item}: QuestionRecord) =>
	room
		.records()
		.filter(other =>
			file === undefined
				? other.item === item
				: other.file?.id === file.id && other.group === group,
		);

/** How long a file may be half written, in milliseconds. */
export const halfWrittenMs = 2000;

/** The owner that a question file claims. */
export type ClaimedFile = {
	/** Its name without the ending. */
	readonly id: string;
	readonly workflow: string;
	readonly askedBy: string;
	/** Paths that it names: its checkpoint, its folder. */
	readonly paths: readonly string[];
};

/** An agent of the session, as far as a file can name it. */
export type Claimant = {
	readonly id: string;
	/** Folder that holds all that is its own, its worktree among them. */
	readonly folder: string;
	readonly isLive: boolean;
};

/**
Returns the agent of this session that a file of questions is from, if it is from one.

All sessions and other tools share the folder, so what says nothing of itself is nobody's: a file must name the session, or a path of an agent's. Of a session with one agent at work that is enough; else it must name the agent, too.
*/
export const claimantOf = (
	claimed: ClaimedFile,
	session: string,
	agents: readonly Claimant[],
): string | undefined => {
	const byPath = agents.filter(({folder}) => claimed.paths.some(path => isIn(path, folder)));
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

const isIn = (path: string, folder: string): boolean => {
	const absolute = resolve(path);
	return path.startsWith(sep) && (absolute === folder || absolute.startsWith(folder + sep));
};

/** Returns whether we wrote the file of that name, even if its question has another file by now. */
export const isOurs = (room: Room, name: string): boolean =>
	room.records().some(({agent, item}) => name === outerName(room.session, agent, item));

/** Returns what a file of an agent's own is called among those of all: as its agent calls it, unless something else is called so or may be, in this session or in another one. */
export const nameOutside = async (room: Room, agent: string, name: string): Promise<string> => {
	const isTaken =
		name.includes('DEL-') ||
		room
			.records()
			.some(record => record.agent !== agent && [record.id, fileOf(record)].includes(name)) ||
		(await ifThere(lstat(join(room.home.pending, `${name}.json`)))) !== undefined;
	return isTaken ? broughtOutName(room.session, agent, name) : name;
};

/** Returns what a file of an agent's own says, without what would make it another session's. */
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
