import {availableParallelism} from 'node:os';
import {builtIn} from '../../agents/profiles/profiles.ts';
import {requestWithin} from '../../client/supervisor/request-within.ts';
import {prepareHome, questionHome} from '../../control/questions/home.ts';
import type {Control} from '../../control/send.ts';
import {requireGitVersion} from '../../git/process/version.ts';
import {Failure} from '../../lib/failure.ts';
import {machineMemory} from '../../lib/process/limits.ts';
import {settles} from '../../lib/timers.ts';
import {defined, isSame} from '../../lib/values.ts';
import {loadOf} from '../../rules/plan/fields.ts';
import {type Config, sandboxSettings} from '../config/config.ts';
import {type Here, isActive, type LastSession, readLastSession, requireSound} from '../here.ts';
import {movedSession} from '../no-session.ts';
import {reachSupervisor} from '../reach-supervisor.ts';
import {missingProgram, type ReadPlan} from './read-plan.ts';

export type StartPlanOptions = {
	/** True if the start approves the plan, including its warnings. */
	readonly approved: boolean;
	/** True if scripted decisions are taken. */
	readonly demo: boolean;
};

/**
Starts a session with a plan.

@throws `Failure` of kind `refused` while another session is active, here or at the repository's earlier place.
*/
export const startPlan = async (
	here: Here,
	config: Config,
	{plan, environments, warnings}: ReadPlan,
	{approved, demo}: StartPlanOptions,
): Promise<LastSession> => {
	await requireGitVersion();
	const last = await readLastSession(here);
	requireSound(here, last);
	const ended = last?.state.session?.ended === undefined ? undefined : last.id;
	if (isActive(last)) {
		throw new Failure(
			'refused',
			`Session ${last.id} is active in this repository; one at a time.`,
			{hint: 'see "delegate-tui status"; "delegate-tui stop" ends it and keeps its work'},
		);
	}

	const moved = await movedSession(here, 'active');
	if (moved !== undefined) {
		throw moved;
	}

	const {limits, questions, docs, notify, tests, types, trailers, sandbox} = config;
	await requireQuestionHome(questions.home);
	const {desktop, kinds} = notify;
	const wanted = sandboxSettings(sandbox);
	const control = await reachNext(here, ended);
	try {
		await requestWithin(control, {
			do: 'start',
			plan,
			environments,
			warnings,
			settings: {
				parallel: limits.parallel,
				quickMs: questions.quick,
				docs,
				files: limits.files,
				depth: limits.depth,
				load: {
					memory: machineMemory(),
					processes: 2000,
					output: 2 ** 30,
					...loadOf(limits),
				},
				checkpointMs: limits.checkpoint,
				questionsHome: questions.home,
				notify: {desktop, ...defined({kinds})},
				modelRetriesMs: limits.retries,
				checks: limits.checks ?? checksHere(),
				...defined({staggerMs: limits.stagger}),
				...(tests.at === 'never' ? {} : {testsAt: tests.at}),
				...(isSame(types, {}) ? {} : {types}),
				...defined({trailers}),
				...(isSame(wanted, {}) ? {} : {sandbox: wanted}),
				// A demo must not start the person's own agents.
				...(demo ? {} : {profiles: installedProfiles(config, here.repository.root)}),
			},
			approved,
			demo,
		});
	} finally {
		control.close();
	}

	const session = await readLastSession(here);
	if (!session) {
		throw new Failure('internal', 'The session was started, but can’t be found.');
	}

	return session;
};

/** Returns the installed profiles: of a built-in agent only the one that asks before it acts. */
const installedProfiles = ({agents}: Config, directory: string): readonly string[] =>
	Object.entries(agents)
		.filter(
			([name, agent]) =>
				!(name in builtIn && agent.protocol !== 'acp') &&
				missingProgram(agent, directory) === undefined,
		)
		.map(([name]) => name);

/** Returns the number of checks that run at once; each uses several cores itself. */
const checksHere = (): number => Math.min(3, Math.max(1, Math.floor(availableParallelism() / 4)));

/** Time in which a supervisor must exit after its session has ended, in milliseconds. */
const partingMs = 20_000;

/** Connects to the supervisor of the next session: the last one exits a moment after its session has ended. */
const reachNext = async (here: Here, ended: string | undefined): Promise<Control> => {
	const control = await reachSupervisor(here);
	if (ended === undefined || control.hello.session !== ended) {
		return control;
	}

	if (!(await settles(control.closed, partingMs))) {
		control.close();
		throw new Failure(
			'refused',
			`Session ${ended} has ended, but its supervisor is still at work.`,
			{
				hint: 'it may be taking a merge back, or cleaning up; try again in a moment',
			},
		);
	}

	return reachNext(here, ended);
};

/** Requires a folder for questions, without which agents would wait for answers that can't reach them. */
const requireQuestionHome = async (path: string): Promise<void> => {
	const [trouble] = await prepareHome(questionHome(path));
	if (trouble !== undefined) {
		throw new Failure('missing', `Questions can’t be kept as files: ${trouble}`, {
			hint: 'name a folder that you can write as "home" below "questions" in the config',
		});
	}
};
