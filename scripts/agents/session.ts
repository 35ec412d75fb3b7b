import {createInterface} from 'node:readline';
import {execa} from 'execa';
import {question} from '../../fixtures/models/scenes.ts';
import type {Event} from '../../src/events/event.ts';
import {type InboxItem, inbox} from '../../src/rules/inbox.ts';
import type {State} from '../../src/state/state.ts';
import {repositoryFolder, type SessionFolder} from '../../src/supervisor/folder.ts';
import {afterTheLast} from '../../test/helpers/marked-processes.ts';
import {type JournalWatch, watchJournal} from '../../test/helpers/watch-journal.ts';
import {launcher, type Playground} from './playground.ts';

/** A session at its end, or at the time limit. */
export type Played = {
	readonly events: readonly Event[];
	readonly state: State;
	readonly folder: SessionFolder;
	/** The supervisor's git repository. */
	readonly store: string;
	/** Commands of processes that were left at the end. */
	readonly leftover: readonly string[];
	/** Reason why it did not end. */
	readonly trouble?: string;
};

/** Note of the person at the checkpoint. */
export const note = 'mind the gap';

/** Note of their refusal of a permission. */
export const refusalNote = 'stay in your scope';

/** Note of their first review. */
export const feedback = 'one more file';

/** Time limit of a whole session, in milliseconds; on a busy machine some programs take minutes to start. */
const limitMs = 600_000;

/**
Runs a session and plays the person, at another terminal.

They answer, continue, send back once, accept and approve; once, when `held` has resolved and the agent is in the middle of a turn, they kill the supervisor like a crash would and type the next command. If `signal` aborts, the session is stopped.
*/
export const playSession = async (
	place: Playground,
	held: Promise<void>,
	signal: AbortSignal,
): Promise<Played> => {
	const {session, repository} = await startRun(place);
	const home = repositoryFolder(place.state, repository.id);
	const folder = home.session(session);
	const watch = watchJournal(folder.journal, {limitMs, lastWords: () => ''});
	try {
		const crashed = held.then(() => crash(place, watch));
		crashed.catch(() => {});
		const trouble = await Promise.race([act(place, watch), untilAborted(signal)]).then(
			() => undefined,
			error => String(error instanceof Error ? error.message : error),
		);
		await place.run('stop');
		return {
			...watch.seen(),
			folder,
			store: home.store,
			leftover: await endLeftover(place, session),
			...(trouble === undefined ? {} : {trouble}),
		};
	} finally {
		await watch.close();
		await endLeftover(place, session);
	}
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
	new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(new Error('interrupted')));
	});

/** Time limit for processes to exit after the end of their work, in milliseconds. */
const partingMs = 5000;

/** Ends remaining processes of a session that should be over, and returns their commands. */
export const endLeftover = async (
	{state}: Playground,
	session: string,
): Promise<readonly string[]> => {
	const marks = [`DELEGATE_TUI_STATE=${state}`, `DELEGATE_SESSION=${session}`];
	const found = await Promise.all(marks.map(mark => afterTheLast(mark, {limitMs: partingMs})));
	const left = new Map(found.flat().map(({pid, command}) => [pid, command]));
	for (const pid of left.keys()) {
		kill(pid);
	}

	return [...left.values()];
};

const kill = (pid: number): void => {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It ended by itself meanwhile.
	}
};

type Started = Extract<Event, {kind: 'session.started'}>;

/** Starts the command, which runs until its session ends, and reads the session from its first line. */
export const startRun = async ({project, environment, plan}: Playground): Promise<Started> => {
	const child = execa(process.execPath, [launcher, 'run', plan, '--headless', '--json', '--yes'], {
		cwd: project,
		env: environment,
		extendEnv: false,
		reject: false,
		stdin: 'ignore',
		timeout: limitMs,
	});
	const first = await new Promise<string | undefined>(resolve => {
		const lines = createInterface({input: child.stdout});
		lines.on('line', resolve);
		lines.on('close', () => resolve(undefined));
	});
	if (first === undefined) {
		throw new Error(`The session did not start: ${(await child).stderr}`);
	}

	return JSON.parse(first);
};

/** Decides waiting items one by one until the session has ended; the command itself approved the plan. */
const act = async (place: Playground, {until}: JournalWatch): Promise<void> => {
	const decided = new Set<string>();
	let isSentBack = false;
	for (;;) {
		const next = await until('the end of the session, or something to decide', ({state}) =>
			state.session?.ended === undefined
				? inbox(state).find(({id, kind}) => !untouched.includes(kind) && !decided.has(id))
				: ('ended' as const),
		);
		if (next === 'ended') {
			return;
		}

		const isFirstReview: boolean = next.kind === 'review' && !isSentBack;
		isSentBack ||= isFirstReview;
		decided.add(next.id);
		await decide(place, next, isFirstReview ? ['feedback', '--note', feedback] : undefined);
	}
};

/** Kinds of items that they leave alone: the command approves the plan, and a slow start goes on by itself. */
const untouched: readonly InboxItem['kind'][] = ['plan', 'limit'];

const decisions: Partial<Record<InboxItem['kind'], readonly string[]>> = {
	question: [question.options[1]],
	checkpoint: ['continue', '--note', note],
	permission: ['refuse', '--note', refusalNote],
	review: ['merge'],
	approval: ['approve'],
};

const decide = async (
	place: Playground,
	{id, kind, title}: InboxItem,
	words = decisions[kind],
): Promise<void> => {
	if (words === undefined) {
		throw new Error(title);
	}

	const {code, stderr} = await place.run('answer', id, ...words);
	if (code !== 0) {
		throw new Error(`${id} could not be decided: ${stderr.trim()}`);
	}
};

const crash = async (place: Playground, {seen}: JournalWatch): Promise<void> => {
	const started = seen().events.findLast(event => event.kind === 'supervisor.started');
	if (started === undefined) {
		throw new Error('No supervisor was ever started.');
	}

	process.kill(started.pid, 'SIGKILL');
	await place.run('status');
};
