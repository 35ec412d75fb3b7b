import type {QuestionHome} from '../../control/questions/home.ts';
import type {Body} from '../../events/event.ts';
import type {QuestionRecord} from '../../rules/questions/record.ts';
import {agentOf, isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';
import {ownHome} from './own-folders.ts';

/** What the files of a session's questions are kept by. */
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
