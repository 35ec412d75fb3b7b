import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileId, readPlain} from '../../control/questions/home.ts';
import type {BodyOf, QuestionFile} from '../../events/event.ts';
import {ifThere} from '../../lib/files/reading.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {defined} from '../../lib/values.ts';
import type {QuestionRecord} from '../../rules/question-record.ts';
import {readCall} from '../../signals/call.ts';
import {agentOf, isLive} from '../../state/select.ts';
import {sizeOf} from '../tools.ts';
import type {OwnFolders} from './own-folders.ts';
import {
	type ClaimedFile,
	claimantOf,
	fileOf,
	isOurs,
	looksItself,
	nameOutside,
	type Room,
} from './room.ts';
import {maximumBytes} from './update-files.ts';

/** Returns a function that finds the questions that agents wrote into files themselves. */
export const createFinder = (
	room: Room,
	/** Items whose files are archived; another file of the same name is a new question. */
	settled: ReadonlySet<string>,
): ((own: readonly OwnFolders[]) => Promise<void>) => {
	/** Versions of other programs' files at the last look. */
	const strange = new Map<string, string>();

	const find = async (source: QuestionFolder, name: string): Promise<void> => {
		const id = name.slice(0, -ending.length);
		const isWritten = source.owner === undefined && isOurs(room, id);
		const records = room.records().filter(record => nameIn(source, record) === id);
		if (!isFileId(id) || isWritten || records.some(({item}) => !settled.has(item))) {
			return;
		}

		const path = join(source.folder, name);
		const found = await ifThere(stat(path));
		const version = `${found?.mtimeMs} ${found?.size}`;
		const left = leftByName(room, id);
		if (left === undefined && strange.get(path) === version) {
			return;
		}

		const plain = await readPlain(path, maximumBytes);
		const read = plain.kind === 'text' ? readQuestion(id, plain) : undefined;
		const agent = read && (source.owner ?? left ?? claimant(room, read));
		if (read === undefined || agent === undefined) {
			strange.set(path, version);
			return;
		}

		const file =
			source.owner === undefined
				? read.file
				: {...read.file, id: await nameOutside(room, agent, id), inner: id};
		const turn = agentOf(room.state(), agent)?.turn.number ?? 0;
		await room.append([
			{
				kind: 'signal.said',
				agent,
				turn,
				signal: read.signal,
				offset: await sizeOf(room.folder.agent(agent).transcript(turn)),
				by: 'file',
				file,
			},
		]);
	};

	return async own => {
		for (const source of foldersOf(room, own)) {
			const names = (await readdir(source.folder)).filter(name => name.endsWith(ending));
			await withdraw(room, source, names);
			for (const name of names) {
				await find(source, name);
			}
		}
	};
};

/** A folder of pending questions, and the agent that owns it. */
type QuestionFolder = {readonly folder: string; readonly owner?: string};

/** Returns the question folders; all files in an agent's own folder count as its own, regardless of their content. */
const foldersOf = (room: Room, own: readonly OwnFolders[]): readonly QuestionFolder[] => [
	...own.map(({agent, home}) => ({folder: home.pending, owner: agent})),
	{folder: room.home.pending},
];

/** Returns the name of a question's file in a folder, if it belongs there. */
const nameIn = ({owner}: QuestionFolder, record: QuestionRecord): string | undefined =>
	owner === undefined ? fileOf(record) : record.agent === owner ? record.file?.inner : undefined;

const ending = '.json';

/** Returns the agent that left a question of that name to a person before its file was seen. */
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

/** Withdraws questions whose files an agent removed while it worked: it no longer needs answers. */
const withdraw = async (
	room: Room,
	source: QuestionFolder,
	names: readonly string[],
): Promise<void> => {
	const isMissing = (record: QuestionRecord): boolean => {
		const name = nameIn(source, record);
		const isBroughtOut = source.owner === undefined && record.file?.inner !== undefined;
		return name !== undefined && !isBroughtOut && !names.includes(`${name}${ending}`);
	};

	const gone = room
		.records()
		.filter(
			record => record.closed === undefined && looksItself(room, record) && isMissing(record),
		);
	for (const file of new Set(gone.map(fileOf))) {
		const agent = gone.find(record => fileOf(record) === file)?.agent ?? '';
		await room.append([{kind: 'question.withdrawn', agent, file}]);
	}
};

type Clarification = Extract<BodyOf<'signal.said'>['signal'], {kind: 'clarification_needed'}>;

/** Content of a question file, as the fields of a signal. */
type ReadQuestion = {
	readonly signal: Clarification;
	readonly file: QuestionFile;
	readonly claimed: ClaimedFile;
};

/** Reads a file with one or several questions; `undefined` if it contains none. */
const readQuestion = (
	id: string,
	{text, owner}: {readonly text: string; readonly owner: number},
): ReadQuestion | undefined => {
	const fields = readJsonObject(text);
	const questions = fields && questionsOf(fields);
	const signal = questions && readCall('ask', questions);
	if (fields === undefined || signal?.kind !== 'clarification_needed') {
		return undefined;
	}

	const checkpoint = textOf(fields.checkpoint);
	const workflow = textOf(fields.workflow_id);
	const folders = [fields.directory, fields.cwd, checkpoint].map(textOf);
	return {
		signal,
		file: {id, owner, ...defined({checkpoint, workflow})},
		claimed: {
			id,
			workflow: workflow ?? '',
			askedBy: textOf(fields.asked_by) ?? '',
			paths: folders.filter(path => path !== undefined),
		},
	};
};

type Fields = Readonly<Record<string, unknown>>;

/** Completes the fields of each question with those of the file. */
const questionsOf = (fields: Fields): Fields | undefined => {
	const {question, questions, all_required, context, ...rest} = fields;
	const about = pick(rest, ['blocked_at', 'current_state', 'default_wait', 'urgent']);
	if (Array.isArray(questions)) {
		const each = questions.map(one =>
			typeof one === 'object' && one !== null && context !== undefined ? {context, ...one} : one,
		);
		return {...about, ...defined({all_required}), questions: each};
	}

	const asked = pick(rest, ['options', 'type', 'pattern', 'multi', 'required']);
	return question === undefined
		? undefined
		: {...about, questions: [{question, ...asked, ...(context ? {context} : {})}]};
};

const pick = (fields: Fields, names: readonly string[]): Fields =>
	Object.fromEntries(
		Object.entries(fields).filter(
			([name, value]) => names.includes(name) && value !== null && value !== undefined,
		),
	);

const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
