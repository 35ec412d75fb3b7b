import {appendFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {followTail} from '../../../src/client/tails.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

test('a file that is written without end is looked at twenty times a second at most, and no line of it is left out', async () => {
	const folder = temporaryFolder();
	const file = join(folder, '1.txt');
	writeFileSync(file, '');
	const over = new AbortController();
	const lines: string[] = [];
	let looks = 0;
	const began = performance.now();
	const tail = followTail({
		...{folder, signal: over.signal},
		pick: names => {
			looks++;
			return names;
		},
		onLine: line => {
			lines.push(line);
			if (line === '199') {
				over.abort();
			}
		},
	});
	for (let line = 0; line < 200; line++) {
		appendFileSync(file, `${line}\n`);
		await wait(1);
	}

	await tail;
	expect(lines).toEqual(Array.from({length: 200}, (_, line) => `${line}`));
	expect(looks).toBeLessThanOrEqual(2 + (performance.now() - began) / 50);
});
