import {readdirSync, readlinkSync} from 'node:fs';
import {expect, test} from 'vitest';
import {makeParts, planOfScript, runHere} from './running.ts';

/** Files that this process has open; a descriptor may go while they are listed. */
const openFiles = (): readonly string[] =>
	readdirSync('/proc/self/fd').flatMap(name => {
		try {
			return [readlinkSync(`/proc/self/fd/${name}`)];
		} catch {
			return [];
		}
	});

test.runIf(process.platform === 'linux')(
	'a session that is abandoned closes its journal',
	async () => {
		const {parts} = await makeParts({'src/a.txt': 'a\n'});
		const {running} = await runHere(parts, planOfScript('sleep 60'));
		const {journal} = parts.folder.session(running.id);
		const isOpen = () =>
			openFiles().some(path => path.startsWith(journal) && path.endsWith('.ndjson'));
		expect(isOpen()).toBe(true);
		await running.abandon();
		await expect.poll(isOpen).toBe(false);
	},
);
