import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {type Plain, readPlain} from '../../control/questions/read-plain.ts';
import {setAsideAnswer} from '../../control/questions/set-aside-answer.ts';
import {asFailure} from '../../lib/failure.ts';
import type {QuestionRecord} from '../../rules/questions/record.ts';
import {fileOf, halfWrittenMs, looksHere, type Room} from './room.ts';

/** No answer is longer, wherever it comes from. */
const maximumBytes = 64 * 1024;

/** Takes the answers that lie in files: the first one that fits counts, any other is set aside with the reason. */
export const takeAnswers = async (room: Room, handed: ReadonlySet<string>): Promise<void> => {
	const ending = '.txt';
	const names = await readdir(room.home.answers);
	for (const name of names.filter(name => name.endsWith(ending))) {
		const id = name.slice(0, -ending.length);
		const record = room.records().findLast(one => one.id === id);
		if (record?.closed !== undefined) {
			await (handed.has(join(room.home.answers, name)) ? undefined : tooLate(room, name, record));
		} else if (record !== undefined) {
			await take(room, name, record);
		} else if (id.startsWith(`${room.session}_`)) {
			await refuse(room, name, {item: id, why: 'This session asks no question of that name.'});
		}
	}
};

const take = async (room: Room, name: string, record: QuestionRecord): Promise<void> => {
	const path = join(room.home.answers, name);
	const found = await readPlain(path, maximumBytes);
	const why = whyUnfit(found);
	if (found.kind === 'text' && !isWhole(found)) {
		room.again(halfWrittenMs);
		return;
	}

	if (found.kind !== 'text' || why !== undefined) {
		await (found.kind === 'nothing' ? undefined : refuse(room, name, {item: record.item, why}));
		return;
	}

	try {
		await room.answer(record.item, found.text.replace(/\r?\n$/, ''), found.owner);
	} catch (error) {
		const {kind, message} = asFailure(error);
		if (kind !== 'refused' && kind !== 'usage') {
			throw error;
		}

		await refuse(room, name, {item: record.item, why: message});
		return;
	}

	// An agent that looks for its answer itself is left the file.
	if (!looksHere(room, record) || record.id !== fileOf(record)) {
		await rm(path, {force: true});
	}
};

const whyUnfit = (found: Plain): string | undefined => {
	switch (found.kind) {
		case 'nothing':
			return undefined;
		case 'unreadable':
			return `The answer is of no use: ${found.why}.`;
		case 'text':
			return found.text.trim() === '' ? 'The answer is empty.' : undefined;
	}
};

/** Whoever writes an answer makes the file first, and may write it piece by piece: its line end is its end, or that nothing was added for a while. */
const isWhole = ({text, changedMs}: Extract<Plain, {kind: 'text'}>): boolean =>
	(text.endsWith('\n') && text.trim() !== '') || Date.now() - changedMs >= halfWrittenMs;

/** A crash may have left an answer that was taken; another one came too late. */
const tooLate = async (room: Room, name: string, {item, closed}: QuestionRecord): Promise<void> => {
	const path = join(room.home.answers, name);
	const found = await readPlain(path, maximumBytes);
	const answer = closed?.how === 'answered' ? closed.answer : undefined;
	if (found.kind === 'text' && found.text.trim() === answer?.trim()) {
		await rm(path, {force: true});
		return;
	}

	const why =
		answer === undefined
			? `${item} needs no answer any more.`
			: `${item} was answered already: ${answer}`;
	await refuse(room, name, {item, why});
};

const refuse = async (
	room: Room,
	name: string,
	{item, why = ''}: {readonly item: string; readonly why?: string | undefined},
): Promise<void> => {
	const aside = await setAsideAnswer(room.home, name, why);
	await room.append([{kind: 'answer.rejected', item, why, ...aside}]);
};
