import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {currentBranch, gitLocationOf} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import {Failure} from '../../lib/failure.ts';
import {diskFailure, ifThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {defined} from '../../lib/values.ts';
import type {Ending, Outside} from '../../tui/composer/controller.ts';
import type {Desk} from '../../tui/composer/desk.ts';
import type {Config} from '../config/config.ts';
import type {Here, LastSession} from '../here.ts';
import {print} from '../output.ts';
import {propose} from './propose.ts';
import {missingProgram, readPlanText, readText} from './read-plan.ts';
import {startPlan} from './start-plan.ts';

export type Composing = Pick<Desk, 'purpose' | 'instead' | 'lastEnd'> & {
	/** What the plan is about, as far as it was said, or the plan file to begin with. */
	readonly begin:
		| {readonly task: string}
		/** Of a session that one more agent joins; `id` is its own, and `words` are what it is to do, as far as that is known; or its part is the last of the text. */
		| {
				readonly text: string;
				readonly joining?: {readonly id: string; readonly words: string} | 'the last';
		  };
	/** Does with the plan what it is for. */
	readonly run: Outside['run'];
};

/** What came of a form that was opened from the screen of a session, in a sentence. */
export type Composed = {readonly isChanged: boolean; readonly tone?: 'bad'; readonly text: string};

/**
Lets the person write a plan in the form until they hand it over or leave.

The screen and all it is made of are loaded only here.
*/
export const compose = async (
	here: Here,
	config: Config,
	{begin, run, ...purpose}: Composing,
): Promise<Ending> => {
	const desk = {...(await deskOf(here, config)), ...purpose};
	const {showComposer} = await import('../../tui/composer/screen.tsx');
	const {beginComposition, beginJoining, joiningLast} = await import(
		'../../tui/composer/model/composition.ts'
	);
	const {firstAgent} = await import('../../tui/composer/desk.ts');
	const {openPlan} = await import('../../tui/composer/plan/open-plan.ts');
	const opened =
		'text' in begin
			? openPlan(begin.text, Object.keys(desk.profiles))
			: {composition: beginComposition(begin.task, firstAgent(desk))};
	if ('why' in opened) {
		throw new Failure('internal', `The plan can’t be shown in the form: ${opened.why}`);
	}

	const {composition} = opened;
	const {joining} = 'joining' in begin ? begin : {};
	return showComposer({
		desk,
		outside: {
			read: readText,
			save: savePlan,
			propose: (task, options) => proposeOnScreen(here, config, task, options),
			run,
		},
		composition:
			joining === undefined
				? composition
				: joining === 'the last'
					? joiningLast(composition)
					: beginJoining(composition, {agent: firstAgent(desk), ...joining}),
		theme: config.theme,
		keys: config.keys,
		input: process.stdin,
		output: process.stdout,
		environment: process.env,
	});
};

const deskOf = async (
	{repository}: Here,
	{agents, limits, planner}: Config,
): Promise<Omit<Desk, 'purpose'>> => {
	const branch = await currentBranch(repository);
	return {
		files: [...(await entriesOf(gitLocationOf(repository), 'HEAD')).keys()],
		profiles: agents,
		planner,
		isThere: path => existsSync(join(repository.root, path)),
		missingProgram: agent => missingProgram(agent, repository.root),
		timeoutMs: limits.timeoutMs,
		filesLimit: limits.files,
		...defined({branch}),
	};
};

export type ComposeOptions = {
	/** What the plan is about, as far as it was said. */
	readonly task: string;
	/** The session before, which has ended. */
	readonly last: LastSession | undefined;
};

/** Lets the person compose a plan on the screen, and returns the session that they started with it, if they did. */
export const composePlan = async (
	here: Here,
	config: Config,
	{task, last}: ComposeOptions,
): Promise<LastSession | undefined> => {
	let starting: Promise<LastSession> | undefined;
	const ended = last?.state.session?.ended;
	const ending = await compose(here, config, {
		purpose: 'start',
		begin: {task},
		...(last === undefined || ended === undefined
			? {}
			: {lastEnd: `The last session, ${last.id}, has ended: ${ended.why}.`}),
		run: async (text, file) => {
			const plan = await readPlanText(text, {file, repository: here.repository, config});
			starting = startPlan(here, config, plan, {approved: true, demo: false});
			await starting;
		},
	});
	const session = await starting?.catch(() => undefined);
	if (ending === 'started' || session === undefined) {
		return session;
	}

	print(`Session ${session.id} was started all the same. Come back: delegate-tui`);
	return undefined;
};

/** How long a planner may take that was asked on the screen, in milliseconds. */
export const plannerLimitMs = 10 * 60_000;

/** How often the screen is told what the planner has said, in milliseconds. */
const reportEveryMs = 500;

/** The most that is told of what it said and did, in lines. */
const maximumLines = 5;

/** Lets a planner propose a plan, and tells twice a second how long it has been at work and what it said and did last. */
const proposeOnScreen = async (
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

/** Writes a plan file; one that stands there is replaced only if it is as it was last seen, or if anything may be. */
export const savePlan: Outside['save'] = async ({path, text}, over) => {
	const there = await readIfThere(path);
	const isKnown =
		there === text ||
		over === 'anything' ||
		(over !== undefined && over.path === path && over.text === there);
	if (there !== undefined && !isKnown) {
		return 'taken';
	}

	await writeAtomically(path, text);
	return 'saved';
};

const readIfThere = (path: string): Promise<string | undefined> =>
	ifThere(readFile(path, 'utf8')).catch(error => {
		throw diskFailure(`${path} could not be written`, error);
	});
