import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {builtIn, profileOf} from '../../agents/profiles/profiles.ts';
import {branchesOf, currentBranch, gitLocationOf} from '../../git/repository/repository.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {packagesIn} from '../../git/tree/packages.ts';
import {Failure} from '../../lib/failure.ts';
import {diskFailure, ifThere} from '../../lib/files/reading.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {defined} from '../../lib/values.ts';
import {nextToTurn} from '../../state/merge/publication.ts';
import type {PlanStart} from '../../tui/controller.ts';
import type {Compose} from '../../tui/model/view.ts';
import type {Desk, PlanOutside} from '../../tui/plan/desk.ts';
import type {Config} from '../config/config.ts';
import {isLoggedOut, loginOf} from '../doctor/agents.ts';
import {type Here, type LastSession, readNamedSession} from '../here.ts';
import {ownTerminal, print} from '../output.ts';
import {pastSessions} from '../past-sessions.ts';
import {planAgain} from './plan-again.ts';
import {conversationsWith, propose} from './propose.ts';
import {missingProgram, readPlanText, readText} from './read-plan.ts';
import {startPlan} from './start-plan.ts';

export type Composing = Pick<Desk, 'purpose' | 'instead' | 'lastEnd' | 'leftAs' | 'handIn'> & {
	/** Known parts of the task, or the plan file to open. */
	readonly begin:
		| {readonly task: string; readonly context?: string}
		/** For an agent that joins a session, its id and optional words about its subtask; or its subtask is the last one of the text. */
		| {
				readonly text: string;
				readonly joining?: {readonly id: string; readonly words: string} | 'the last';
		  };
};

/**
Returns the initial content of the form in which a person writes a plan.

The form and its modules are loaded only here.
*/
export const beginComposing = async (
	here: Here,
	config: Config,
	{begin, ...purpose}: Composing,
): Promise<PlanStart> => {
	const desk: Desk = {...(await deskOf(here, config)), ...purpose};
	const {beginComposition, beginJoining, joiningLast} = await import(
		'../../tui/plan/composition.ts'
	);
	const {firstAgent} = await import('../../tui/plan/desk.ts');
	const {openPlan} = await import('../../tui/plan/plan-file.ts');
	const agent = firstAgent(desk);
	if ('task' in begin) {
		return {desk, composition: beginComposition(begin.task, agent, begin.context)};
	}

	const opened = openPlan(begin.text, Object.keys(desk.profiles));
	if ('why' in opened) {
		throw new Failure('internal', `The plan can’t be shown in the form: ${opened.why}`);
	}

	const {composition} = opened;
	const {joining} = begin;
	return {
		desk,
		composition:
			joining === undefined
				? composition
				: joining === 'the last'
					? joiningLast(composition)
					: beginJoining(composition, {agent, ...joining}),
	};
};

const deskOf = async (here: Here, config: Config): Promise<Omit<Desk, 'purpose' | 'handIn'>> => {
	const {repository} = here;
	const {agents, limits, planner} = config;
	const branch = await currentBranch(repository);
	return {
		files: [...(await entriesOf(gitLocationOf(repository), 'HEAD')).keys()],
		packages: await packagesIn(gitLocationOf(repository), 'HEAD'),
		branches: await branchesOf(repository),
		profiles: agents,
		ready: await readyAgents(config, repository.root),
		planner,
		isThere: path => existsSync(join(repository.root, path)),
		missingProgram: agent => missingProgram(agent, repository.root),
		timeoutMs: limits.timeout,
		filesLimit: limits.files,
		read: readText,
		save: savePlan,
		conversations: (name, signal) => conversationsWith(here, config, name, signal),
		propose: (task, options) => proposeOnScreen(here, config, task, options),
		...defined({branch, unreadRegistry: config.unreadRegistry}),
	};
};

/** Returns the agents that are ready: of a built-in one only the profile that asks before it acts; for an unknown vendor the login can't be checked. */
const readyAgents = async ({agents}: Config, root: string): Promise<readonly string[]> => {
	const found = Object.entries(agents).map(async ([name, agent]) => {
		const profile = profileOf(agent);
		const isReady =
			!(name in builtIn && agent.protocol !== 'acp') &&
			missingProgram(agent, root) === undefined &&
			(profile === undefined ||
				!isLoggedOut(await loginOf(profile, {...process.env, ...agent.env})));
		return isReady ? [name] : [];
	});
	return (await Promise.all(found)).flat();
};

export type ComposeOptions = Pick<Composing, 'begin'> & {
	/** The session before, which has ended. */
	readonly last: LastSession | undefined;
};

/** Lets the person compose a plan on the screen, and returns the session that they started with it, if any. */
export const composePlan = async (
	here: Here,
	config: Config,
	{begin, last}: ComposeOptions,
): Promise<LastSession | undefined> => {
	let starting: Promise<LastSession> | undefined;
	let isStarted = false;
	const ended = last?.state.session?.ended;
	const onStart: OnStart = session => {
		starting = session;
		void session.then(
			() => {
				isStarted = true;
			},
			() => {},
		);
	};
	const form = await beginComposing(here, config, {
		purpose: 'start',
		begin,
		...(last === undefined || ended === undefined
			? {}
			: {lastEnd: await lastEnd(here, last, ended.why)}),
		handIn: startingBy(here, config, onStart),
	});
	const {emptyStore} = await import('../../client/store/publisher.ts');
	const {showScreen, withoutSession} = await import('../../tui/screen.ts');
	await showScreen({
		store: emptyStore(),
		form,
		...withoutSession('No session is under way.'),
		compose: async form => beginAgain(here, config, form, onStart),
		past: pastSessions,
		settings: config,
		...ownTerminal(),
	});
	const session = await starting?.catch(() => undefined);
	if (isStarted || session === undefined) {
		return session;
	}

	print(`Session ${session.id} was started anyway. Come back: delegate-tui`);
	return undefined;
};

/** Called with the session that starts, as soon as it begins to. */
export type OnStart = (session: Promise<LastSession>) => void;

const startingBy =
	(here: Here, config: Config, onStart: OnStart): Desk['handIn'] =>
	async (text, file) => {
		const plan = await readPlanText(text, {file, repository: here.repository, config});
		const session = startPlan(here, config, plan, {approved: true, demo: false});
		onStart(session);
		await session;
		return '';
	};

/** Returns the initial content of the form for starting the plan of an earlier session again. */
export const beginAgain = async (
	here: Here,
	config: Config,
	compose: Compose,
	onStart: OnStart,
): Promise<PlanStart> => {
	if (compose.what !== 'again') {
		throw new Failure('refused', 'No session is under way.');
	}

	const {id} = compose.session;
	const {state} = await readNamedSession(here, id);
	const text = await planAgain(config, {folder: here.folder.session(id), state});
	return beginComposing(here, config, {
		purpose: 'start',
		leftAs: 'Nothing was started.',
		begin: {text},
		handIn: startingBy(here, config, onStart),
	});
};

/** Returns a text about the end of the last session, whose board with the keys for publish and undo is no longer opened. */
const lastEnd = async (here: Here, {id, state}: LastSession, why: string): Promise<string> => {
	const ended = `The last session, ${id}, has ended: ${why}.`;
	const merge = nextToTurn(state);
	if (merge?.phase !== 'standing') {
		return merge?.phase === 'undone'
			? `${ended}\nIts merge was taken back; delegate-tui undo --redo brings it back.`
			: ended;
	}

	const {events} = await readNamedSession(here, id);
	const pushed = events
		.filter(event => event.kind === 'push.changed')
		.findLast(({to, commit}) => to === 'done' && commit === merge.built.commit);
	const merged =
		pushed === undefined
			? 'delegate-tui publish pushes its merge,'
			: `Its merge was pushed to ${pushed.remote}/${pushed.branch};`;
	return `${ended}\n${merged} delegate-tui undo takes it back.`;
};

/** Time limit of a planner on the screen, in milliseconds. */
export const plannerLimitMs = 10 * 60_000;

/** Interval of the planner's progress reports, in milliseconds. */
const reportEveryMs = 500;

const maximumLines = 5;

/** Lets a planner propose a plan, and reports twice a second its time and its last words and actions. */
const proposeOnScreen = async (
	here: Here,
	config: Config,
	task: string,
	{signal, report}: Parameters<PlanOutside['propose']>[1],
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

/** Writes a plan file; an existing one is replaced only if it is unchanged since it was last seen, or if any content may be replaced. */
export const savePlan: PlanOutside['save'] = async ({path, text}, over) => {
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
