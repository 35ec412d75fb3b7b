import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {currentBranch} from '../../git/repository/branch.ts';
import {placeOf} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import type {Outside} from '../../tui/composer/controller.ts';
import type {Desk} from '../../tui/composer/desk.ts';
import type {Config} from '../config/config.ts';
import type {Here, LastSession} from '../here.ts';
import {print} from '../output.ts';
import {absenceOf} from './absence.ts';
import {proposeOnScreen} from './propose-on-screen.ts';
import {readPlanText, readText} from './read-plan.ts';
import {savePlan} from './save-plan.ts';
import {startPlan} from './start-plan.ts';

export type ComposeOptions = {
	/** What the plan is about, as far as it was said. */
	readonly task: string;
	/** The session before, which has ended. */
	readonly last: LastSession | undefined;
};

/**
Lets the person compose a plan on the screen, and returns the session that they started with it, if they did.

The screen and all it is made of are loaded only here.
*/
export const composePlan = async (
	here: Here,
	config: Config,
	{task, last}: ComposeOptions,
): Promise<LastSession | undefined> => {
	const desk = await deskOf(here, config, last);
	const {showComposer} = await import('../../tui/composer/screen.tsx');
	let starting: Promise<LastSession> | undefined;
	const ending = await showComposer({
		desk,
		outside: outsideOf(here, config, async (text, file) => {
			const plan = await readPlanText(text, {file, repository: here.repository, config});
			starting = startPlan(here, config, plan, {approved: true, demo: false});
			await starting;
		}),
		task,
		theme: config.theme,
		keys: config.keys,
		input: process.stdin,
		output: process.stdout,
		environment: process.env,
	});
	const session = await starting?.catch(() => undefined);
	if (ending === 'started' || session === undefined) {
		return session;
	}

	print(`Session ${session.id} was started all the same. Come back: delegate-tui`);
	return undefined;
};

const deskOf = async (
	{repository}: Here,
	{agents, limits, planner}: Config,
	last: LastSession | undefined,
): Promise<Desk> => {
	const branch = await currentBranch(repository);
	const ended = last?.state.session?.ended;
	return {
		files: [...(await entriesOf(placeOf(repository), 'HEAD')).keys()],
		profiles: agents,
		planner,
		isThere: path => existsSync(join(repository.root, path)),
		absenceOf: agent => absenceOf(agent, repository.root),
		timeoutMs: limits.timeoutMs,
		filesLimit: limits.files,
		...(branch === undefined ? {} : {branch}),
		...(last === undefined || ended === undefined
			? {}
			: {lastEnd: `The last session, ${last.id}, has ended: ${ended.why}.`}),
	};
};

const outsideOf = (here: Here, config: Config, run: Outside['run']): Outside => ({
	propose: (task, options) => proposeOnScreen(here, config, task, options),
	read: readText,
	save: savePlan,
	run,
});
