import {Writable} from 'node:stream';
import {finished} from 'node:stream/promises';
import {expect, test} from 'vitest';
import {drained} from '../../src/cli/output.ts';

test('a slow reader holds up what is printed for it', async () => {
	const lines = Array.from({length: 100}, (_, index) => `line ${index}\n`);
	const read: string[] = [];
	const reader = new Writable({
		highWaterMark: 32,
		write: (chunk, _, done) => {
			read.push(String(chunk));
			setImmediate(done);
		},
	});
	let most = 0;
	for (const line of lines) {
		reader.write(line);
		most = Math.max(most, reader.writableLength);
		await drained(reader);
	}

	expect(most).toBeLessThan(64);
	reader.end();
	await finished(reader);
	expect(read.join('')).toBe(lines.join(''));
});
