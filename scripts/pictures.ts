import {execFile} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {openTerminal, type TestTerminal} from '../test/helpers/terminal.ts';
import {buildWhenStale} from './fresh.ts';
import {breakage, playBreakage} from './pictures/breakage.ts';
import type {Shoot} from './pictures/person.ts';
import {play} from './pictures/play.ts';
import {makePlayground, type Playground, program, type Story} from './pictures/playground.ts';
import {story} from './pictures/story.ts';
import {type Frame, frameOf, movingSvgOf, svgOf} from './pictures/svg.ts';

/*
Takes the pictures of the README from a real session that keys control: `npm run pictures`.
*/

const folder = join(import.meta.dirname, '../docs/pictures');

type Play = (terminal: TestTerminal, shoot: Shoot) => Promise<void>;

const take = async (place: Playground, play: Play): Promise<void> => {
	using terminal = openTerminal({
		program: process.execPath,
		words: [program, 'run', place.plan],
		directory: place.project,
		environment: place.environment,
		columns: 120,
		rows: 52,
	});
	const frames: Frame[] = [];
	await play(terminal, async (name, title) => {
		if (name === 'tour') {
			frames.push(frameOf(terminal.screen));
		} else {
			await keep(name, svgOf(terminal.screen, title));
		}
	});
	const [first, ...more] = frames;
	if (first !== undefined) {
		await keep(
			'tour',
			movingSvgOf([first, ...more], 'One session, from agents at work to its merge'),
		);
	}
};

const keep = async (name: string, picture: string): Promise<void> => {
	const path = join(folder, `${name}.svg`);
	await writeFile(path, picture);
	console.log(path);
};

/** Plays a story and takes its pictures. */
const picture = async (story: Story, play: Play): Promise<void> => {
	await using place = await makePlayground(story);
	try {
		await take(place, play);
	} finally {
		// After an interrupted story, its session must not continue; after a complete one there is nothing to stop.
		const {project, environment} = place;
		const stop = [program, 'stop'];
		await promisify(execFile)(process.execPath, stop, {cwd: project, env: environment}).catch(
			() => {},
		);
	}
};

await buildWhenStale();
await mkdir(folder, {recursive: true});
await picture(story, play);
await picture(breakage, playBreakage);
