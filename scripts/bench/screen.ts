import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {bundle} from '../build.ts';
import {buildWhenStale} from '../fresh.ts';
import {makePlayground, program} from '../pictures/playground.ts';
import {story} from '../pictures/story.ts';
import {printColumns} from './columns.ts';
import {startSession} from './idle.ts';
import {type Contestant, type Measured, measureWarm} from './measure.ts';
import {benchReading} from './reading.ts';

const recording = join(import.meta.dirname, '../../fixtures/journals/questions-and-checkpoints');

/** Measures how long keys wait for their frame, after how long a person looks at nothing when they open the screen. */
export const benchScreen = async (rounds: number): Promise<void> => {
	await buildWhenStale();
	await benchOpening(rounds);
	await benchReading();
};

/** Measures it beside what no program in Node.js, and none made with Ink, can do without. */
const benchOpening = async (rounds: number): Promise<void> => {
	await using place = await makePlayground(story);
	await using _session = await startSession(place, 'unapproved');
	const folder = await mkdtemp(join(tmpdir(), 'bench-'));
	try {
		const contestants: readonly Contestant[] = [
			{name: 'node -e 0', words: ['-e', '0']},
			{name: 'minimal Ink', words: [await bundleMinimal(folder)], sees: 'q leave'},
			{name: 'watch a recording', words: [program, 'watch', recording], sees: 'q leave'},
			{name: 'attach to a session', words: [program], sees: '⏎ p-1'},
		];
		print(await measureWarm(contestants, {place, caches: folder, rounds}), rounds);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

/** Bundles and starts the minimal program like ours. */
export const bundleMinimal = async (folder: string): Promise<string> => {
	await mkdir(folder, {recursive: true});
	await bundle({minimal: join(import.meta.dirname, 'minimal-ink.tsx')}, folder);
	await writeFile(join(folder, 'package.json'), '{"type": "module"}\n');
	const launcher = join(folder, 'launch.cjs');
	await writeFile(
		launcher,
		"require('node:module').enableCompileCache?.();\nimport('./minimal.js');\n",
	);
	return launcher;
};

const print = (measured: readonly Measured[], rounds: number): void => {
	console.log(
		`First frame in a terminal of 200×50, ${rounds} rounds, one after the other in each.\n`,
	);
	const [bare] = measured;
	const ink = measured.find(({name}) => name === 'minimal Ink');
	const ratio = (one: Measured, other: Measured | undefined): string =>
		other === undefined ? '–' : `×${(one.medianMs / other.medianMs).toFixed(2)}`;
	const rows = measured.map(one => [
		one.name,
		`${one.medianMs.toFixed(0)} ms`,
		`${one.minMs.toFixed(0)} ms`,
		ratio(one, bare),
		ratio(one, ink),
		one.peakMiB === undefined ? '–' : `${one.peakMiB.toFixed(0)} MiB`,
	]);
	const head = ['', 'median', 'min', 'to node -e 0', 'to minimal Ink', 'peak memory'];
	printColumns(head, rows);
};
