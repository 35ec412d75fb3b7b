import {execFile} from 'node:child_process';
import {mkdtemp, readdir, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import type {Resources} from '../src/client/resources/shown.ts';
import {readJournal} from '../src/journal/read.ts';
import {fold, isEvent} from '../src/state/apply/apply.ts';
import {buildWhenStale} from './fresh.ts';
import {find, keep} from './recordings/keep.ts';
import {lookAt} from './recordings/look.ts';

/*
Records scenes of the demo into fixtures/scenes, as they are played for a reader: `node scripts/record-scenes.ts [SCENE …]`,
without a name the existing ones.
*/

const run = promisify(execFile);
const program = join(import.meta.dirname, '../bin/delegate-tui.cjs');
const fixtures = join(import.meta.dirname, '../fixtures/scenes');

const record = async (scene: string): Promise<void> => {
	const home = await realpath(await mkdtemp(join(tmpdir(), 'record-')));
	const env = {PATH: process.env.PATH, HOME: home, TMPDIR: home};
	try {
		const played = run(process.execPath, [program, 'demo', scene, '--headless'], {cwd: home, env});
		const shown = await lookOn(home, played);
		const segment = await segmentIn(home);
		const places = {
			[await placeIn(home)]: '/recorded',
			[process.execPath]: 'node',
			[program]: 'delegate-tui.cjs',
		};
		await keep({places, segment, shown, target: join(fixtures, scene)});
	} finally {
		await rm(home, {recursive: true, force: true, maxRetries: 5});
	}
};

/** Opens each item while it waits, like a screen, and returns the resources that it got. */
const lookOn = async (home: string, played: Promise<unknown>): Promise<Resources> => {
	let hasEnded = false;
	const ended = played.finally(() => {
		hasEnded = true;
	});
	ended.catch(() => {});
	const shown: Record<string, Resources[string]> = {};
	while (!hasEnded) {
		for (const item of await itemsIn(home).catch(() => [])) {
			Object.assign(shown, await look(home, item).catch(() => ({})));
		}

		await pause(100);
	}

	await ended;
	return shown;
};

const itemsIn = async (home: string): Promise<readonly string[]> => {
	const {entries} = await readJournal(dirname(await segmentIn(home)));
	return fold(entries.filter(isEvent)).items.map(({id}) => id);
};

/** Fetches the resources of an item; a screen would not have got missing ones, either. */
const look = async (home: string, item: string): Promise<Resources> => {
	const socketFile = await find(home, path => basename(path) === 'socket');
	return lookAt({journal: dirname(await segmentIn(home)), socketFile}, item);
};

const segmentIn = (home: string): Promise<string> =>
	find(home, path => path.endsWith('journal/000001.ndjson'));

const placeIn = (home: string): Promise<string> =>
	find(home, path => /^delegate-demo-[^/]+$/.test(path));

/** Returns the recorded scenes; a page about them is beside their folders. */
const recorded = async (): Promise<readonly string[]> => {
	const entries = await readdir(fixtures, {withFileTypes: true});
	return entries.filter(entry => entry.isDirectory()).map(({name}) => name);
};

await buildWhenStale();
const wanted = process.argv.slice(2);
for (const scene of wanted.length === 0 ? await recorded() : wanted) {
	await record(scene);
	process.stdout.write(`recorded ${scene}\n`);
}
