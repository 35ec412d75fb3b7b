import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {currentBranch} from '../../git/repository/branch.ts';
import {gitLocationOf} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/entry.ts';
import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import type {Ending, Outside} from '../../tui/composer/controller.ts';
import type {Desk} from '../../tui/composer/desk.ts';
import type {Config} from '../config/config.ts';
import type {Here} from '../here.ts';
import {missingProgram} from './missing-program.ts';
import {proposeOnScreen} from './propose-on-screen.ts';
import {readText} from './read-plan.ts';
import {savePlan} from './save-plan.ts';

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
