/** Appends to the journal in the folder given until it is killed, and prints each number once it is promised. */
import process from 'node:process';
import {openJournal} from '../../../src/journal/writer.ts';

const [folder = '', session = ''] = process.argv.slice(2);
const journal = await openJournal({folder, session, segmentBytes: 20_000});

const appendForever = async (writer: number): Promise<never> => {
	for (let count = 1; ; count++) {
		const body = {at: '2026-11-21T20:05:00.000Z', kind: 'agent.noted', writer, count};
		const [entry] = await journal.append([body]);
		process.stdout.write(`${JSON.stringify(entry)}\n`);
	}
};

await Promise.all([1, 2, 3].map(appendForever));
