import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {type Journal, openJournal} from '../../src/journal/writer.ts';

/** A folder that is removed when the test ends. */
export const temporaryFolder = (): string => {
	const folder = mkdtempSync(join(tmpdir(), 'delegate-tui-test-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	return folder;
};

export const session = 'DEL-20261121-001';

export type Note = {readonly at: string; readonly kind: string; readonly text: string};

/** A body of the length that events have, with characters of two, three and four bytes. */
export const note = (index: number): Note => ({
	at: new Date(Date.UTC(2026, 10, 21) + index).toISOString(),
	kind: 'agent.noted',
	text: `${'é→🙂 '.repeat(index % 7)}${index}`,
});

export const notes = (count: number): readonly Note[] =>
	Array.from({length: count}, (_, index) => note(index + 1));

/** What the journal holds after `notes(count)` were appended. */
export const noted = (count: number) =>
	notes(count).map((body, index) => ({seq: index + 1, ...body}));

/** Runs `use` on an open journal and closes it. */
export const withJournal = async <Value>(
	options: Parameters<typeof openJournal>[0],
	use: (journal: Journal) => Value | Promise<Value>,
): Promise<Value> => {
	const journal = await openJournal(options);
	try {
		return await use(journal);
	} finally {
		await journal.close();
	}
};

/** Returns the folder of a journal that holds so many notes. */
export const journalOf = async (
	count: number,
	options: {readonly segmentBytes?: number} = {},
): Promise<string> => {
	const folder = join(temporaryFolder(), 'journal');
	await withJournal({folder, session, ...options}, async journal => {
		for (const body of notes(count)) {
			await journal.append([body]);
		}
	});
	return folder;
};

/** Every file below a folder, by name, to see that nothing was changed. */
export const contents = (folder: string): Readonly<Record<string, string>> =>
	Object.fromEntries(
		readdirSync(folder, {recursive: true, withFileTypes: true})
			.filter(item => item.isFile())
			.map(item => join(item.parentPath, item.name))
			.map(path => [path, readFileSync(path).toString('base64')]),
	);
