import {readFile} from 'node:fs/promises';
import type {Outside} from '../../tui/composer/controller.ts';
import type {Config} from '../config/config.ts';
import type {Here} from '../here.ts';
import {propose} from './propose.ts';

/** How long a planner may take that was asked on the screen, in milliseconds. */
export const plannerLimitMs = 10 * 60_000;

/** How often the screen is told what the planner has said, in milliseconds. */
const reportEveryMs = 500;

/** The most that is told of what it said and did, in lines. */
const maximumLines = 5;

/** Lets a planner propose a plan, and tells twice a second how long it has been at work and what it said and did last. */
export const proposeOnScreen = async (
	here: Here,
	config: Config,
	task: string,
	{signal, report}: Parameters<Outside['propose']>[1],
): Promise<string> => {
	const since = performance.now();
	const actions: string[] = [];
	let transcript: string | undefined;
	const reporting = setInterval(async () => {
		const words = transcript === undefined ? [] : await lastLines(transcript);
		const lines = [...actions.slice(-maximumLines), ...words.slice(-maximumLines)];
		report({elapsedMs: performance.now() - since, lines: lines.slice(-maximumLines)});
	}, reportEveryMs);
	try {
		return await propose(here, config, {
			task,
			limitMs: plannerLimitMs,
			signal,
			onTurn: file => {
				transcript = file;
			},
			onAction: text => actions.push(text),
			onCorrection: ([first = '']) => actions.push(`Its plan goes back to it: ${first}`),
		});
	} finally {
		clearInterval(reporting);
	}
};

const lastLines = async (file: string): Promise<readonly string[]> =>
	(await readFile(file, 'utf8').catch(() => ''))
		.split('\n')
		.map(line => line.trim())
		.filter(line => line !== '');
