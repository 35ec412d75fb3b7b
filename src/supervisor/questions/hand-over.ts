import {mkdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {readPlain} from '../../control/questions/read-plain.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import type {QuestionRecord} from '../../rules/questions/record.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {agentOf, isLive} from '../../state/select.ts';
import {answersText} from './question-json.ts';
import {fileOf, homeOf, innerName, type Room} from './room.ts';
import {isPrepared} from './watch-own-folders.ts';

/** Hands answers to agents that look for them in files. */
export type HandOver = {
	/** Paths of the files that lie there for an agent. */
	readonly handed: () => ReadonlySet<string>;
	/** Lays down what was decided, and takes notice of what was taken. */
	readonly look: () => Promise<void>;
};

type Handed = {
	readonly path: string;
	readonly agent: string;
	readonly turn: number;
	readonly items: readonly string[];
};

/** What is handed over counts as delivered once its agent has taken the file away; until then a turn that ends gets it by its next prompt. */
export const createHandOver = (room: Room): HandOver => {
	const handed = new Map<string, Handed>();

	const layDown = async (agent: Agent, file: string): Promise<void> => {
		const records = room.records().filter(record => fileOf(record) === file);
		const items = agent.replies.filter(reply => reply.file === file).map(({item}) => item);
		if (records.some(({closed}) => closed === undefined) && isWhole(room, file)) {
			return;
		}

		const [first] = records;
		const isInner = first?.file?.inner !== undefined;
		if (first === undefined || (isInner && !(await isPrepared(homeOf(room, first))))) {
			return;
		}

		const path = pathFor(room, first);
		const text = `${answersText(records.filter(({item}) => items.includes(item)))}\n`;
		const found = await readPlain(path, text.length + 1024);
		const isTaken = records.length === 1 && isFromFile(first);
		if (found.kind === 'nothing' && isTaken && first.file?.inner === undefined) {
			await room.append([
				{kind: 'reply.delivered', agent: agent.id, turn: agent.turn.number, items},
			]);
			return;
		}

		if (found.kind !== 'text' || found.text !== text) {
			await mkdir(dirname(path), {recursive: true, mode: 0o700});
			await writeAtomically(path, text, {mode: 0o600});
		}

		handed.set(file, {path, agent: agent.id, turn: agent.turn.number, items});
	};

	const check = async (file: string, {path, agent: id, turn, items}: Handed): Promise<void> => {
		const agent = agentOf(room.state(), id);
		const found = await readPlain(path, 1024 ** 2);
		const waits = agent?.replies.some(reply => reply.file === file && !reply.escalated);
		if (agent && isLive(agent) && agent.turn.number === turn && waits) {
			if (found.kind === 'nothing') {
				handed.delete(file);
				await room.append([{kind: 'reply.delivered', agent: id, turn, items}]);
			}

			return;
		}

		handed.delete(file);
		await rm(path, {force: true});
	};

	return {
		handed: () => new Set([...handed.values()].map(({path}) => path)),
		look: async () => {
			for (const [file, what] of [...handed]) {
				await check(file, what);
			}

			for (const agent of room.state().agents.filter(isLive)) {
				const files = agent.replies.flatMap(({file, escalated}) =>
					file === undefined || escalated || handed.has(file) ? [] : [file],
				);
				for (const file of new Set(files)) {
					await layDown(agent, file);
				}
			}
		},
	};
};

/** Where its agent looks for the answer. */
const pathFor = (room: Room, record: QuestionRecord): string =>
	join(homeOf(room, record).answers, `${innerName(record)}.txt`);

/** Its agent has found it there before us. */
const isFromFile = ({closed}: QuestionRecord): boolean =>
	closed?.how === 'answered' && closed.by === 'file';

/** Whether an agent needs the answers to all questions of a file at once. */
const isWhole = (room: Room, file: string): boolean =>
	room
		.state()
		.items.some(
			item => item.kind === 'question' && item.file?.id === file && item.holds && !item.anyAnswer,
		);
