import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {JournalEntry} from '../../src/journal/codec.ts';
import {readJournal} from '../../src/journal/read.ts';
import {startProgram} from './child.ts';
import {session, temporaryFolder} from './helpers.ts';

test('a writer that is killed twenty times loses nothing that it promised', async () => {
	const folder = join(temporaryFolder(), 'journal');
	const promised: JournalEntry[] = [];
	for (let round = 0; round < 20; round++) {
		const child = startProgram('append-forever.ts', [folder, session]);
		const killAt = 1 + ((round * 37) % 60);
		let received = 0;
		for await (const line of {[Symbol.asyncIterator]: () => child.lines}) {
			if (!line.endsWith('}')) {
				// It was killed while it said so.
				continue;
			}

			promised.push(JSON.parse(line));
			received++;
			if (received === killAt) {
				await child.kill();
			}
		}

		expect(received).toBeGreaterThanOrEqual(killAt);
	}

	const {entries, position} = await readJournal(folder);
	const bySeq = new Map(entries.map(entry => [entry.seq, entry]));
	expect(promised.map(entry => bySeq.get(entry.seq))).toEqual(promised);
	expect(new Set(promised.map(entry => entry.seq)).size).toBe(promised.length);
	expect(position.segment).toBeGreaterThan(1);
});
