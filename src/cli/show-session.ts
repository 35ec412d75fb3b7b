import {dirname} from 'node:path';
import type {Asked} from '../client/supervisor/request-within.ts';
import {mergeByTool} from '../git/merge/merge-tool.ts';
import {loadLate} from '../lib/load-late.ts';
import {defined} from '../lib/values.ts';
import type {State} from '../state/state.ts';
import {readEnvironments} from '../supervisor/machine/environments.ts';
import {visitorEnvironment} from '../supervisor/requests/visitor.ts';
import type {Hint} from '../tui/model/view.ts';
import {withProgram} from './agent/with-program.ts';
import type {Config} from './config/config.ts';
import {editFile} from './edit-file.ts';
import type {Here, LastSession} from './here.ts';
import {ownTerminal, print} from './output.ts';
import {pastSessions} from './past-sessions.ts';
import type {OnStart} from './plan/compose.ts';
import {isAtTerminal} from './questions.ts';
import {askSupervisor, reachSupervisor, stayConnected} from './reach-supervisor.ts';
import {openSeenFile} from './seen-file.ts';

/** Returns whether the terminal can show a screen; a dumb one only prints lines. */
export const canShowScreen = (): boolean => isAtTerminal() && process.env.TERM !== 'dumb';

/** Shows a session on the screen until the person leaves it, and prints its state then. */
export const showSession = async (
	here: Here,
	session: LastSession,
	config: Config,
): Promise<void> => {
	let next: Promise<LastSession> | undefined;
	const onStart = (session: Promise<LastSession>): void => {
		next = session;
	};
	const state = await openScreen(here, session, config, {onStart});
	const started = await next?.catch(() => undefined);
	if (started === undefined) {
		print(partingWords(state.session?.ended?.why, session.id));
	} else {
		await showSession(here, started, config);
	}
};

export type OpenScreenOptions = {
	/** Text of the hint line; without it there is no such line. */
	readonly hint?: Hint;
	/** Called with the session that the person starts from this one’s screen, after its end. */
	readonly onStart?: OnStart;
};

/**
Opens the screen on a session until the person leaves it, and returns the last state on it.

The screen and its modules are loaded only here, so that a command that prints text does not wait for them.
*/
export const openScreen = async (
	here: Here,
	session: LastSession,
	config: Config,
	{onStart = () => {}, ...options}: OpenScreenOptions = {},
): Promise<State> => {
	const {folder, state} = session;
	const {openLiveStore} = await import('../client/store/live-store.ts');
	const ask = async (request: Asked) => askSupervisor(here, await withProgram(here, request));
	const opening = openLiveStore({
		journal: folder.journal,
		seq: state.seq,
		environments: state => readEnvironments(folder.environments, state),
		folders: {
			transcripts: agent => dirname(folder.agent(agent).transcript(1)),
			setupLog: agent => folder.agent(agent).setupLog,
			checks: dirname(folder.verify(1).log),
			commands: folder.commands,
			telemetry: folder.telemetry,
		},
		ask,
	});
	const [{showScreen}, seenFile, store] = await Promise.all([
		import('../tui/screen.ts'),
		openSeenFile(folder.seen),
		opening,
	]);
	const leaving = new AbortController();
	void stayConnected(
		async () =>
			store.model().state.session?.ended === undefined ? reachSupervisor(here) : undefined,
		leaving.signal,
	);
	try {
		await showScreen({
			store,
			ask,
			edit: (file, versions) =>
				versions === undefined
					? editFile(file, process.env)
					: () =>
							mergeByTool(
								here.repository.root,
								file,
								versions,
								visitorEnvironment(process.env, 'a merge tool'),
							),
			openCopy: async (commit, at) => {
				const {openCopy} = await loadLate(() => import('./agent/open-copy.ts'));
				return openCopy({gitDir: here.folder.store}, commit, at, process.env);
			},
			readImage: async (commit, path) => {
				const {readImage} = await loadLate(() => import('./agent/open-copy.ts'));
				return readImage({gitDir: here.folder.store}, commit, path);
			},
			visit: async (...words) =>
				(await loadLate(() => import('./agent/visit.ts'))).visit(here, ...words),
			publish: {
				offer: async request =>
					(await loadLate(() => import('./publish.ts'))).offerPush(here, defined({request})),
				push: async offer =>
					(await loadLate(() => import('./publish.ts'))).pushOnScreen(here, offer),
			},
			compose: async form => {
				const {composed} = await loadLate(() => import('./plan/compose-on-screen.ts'));
				return composed(here, config, {session, state: store.model().state, onStart}, form);
			},
			worktreeOf: agent => folder.agent(agent).tree,
			past: pastSessions,
			...seenFile,
			settings: config,
			...ownTerminal(),
			calls: config.notify,
			...options,
		});
	} finally {
		leaving.abort();
		await seenFile.written();
	}

	return store.model().state;
};

/** Returns a line that says whether the session continues after the screen was left. */
const partingWords = (ended: string | undefined, id: string): string =>
	ended === undefined
		? `Session ${id} goes on without the screen. Come back: delegate-tui   End it: delegate-tui stop`
		: `Session ${id} has ended: ${ended}`;
