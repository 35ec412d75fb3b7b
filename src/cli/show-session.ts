import {dirname} from 'node:path';
import type {State} from '../state/state.ts';
import type {Hint} from '../tui/model/view.ts';
import {visit} from './agent/visit.ts';
import type {Config} from './config/config.ts';
import {editFile} from './edit-file.ts';
import type {Here, LastSession} from './here.ts';
import {print} from './output.ts';
import {askSupervisor, reachSupervisor} from './reach-supervisor.ts';

/** How often an open screen sees to it that there is a supervisor, in milliseconds. */
const careMs = 3000;

/** Whether there is somebody at a terminal, who can be asked. */
export const isAtTerminal = (): boolean =>
	process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Whether that terminal can show a screen; a dumb one knows only lines. */
export const canShowScreen = (): boolean => isAtTerminal() && process.env.TERM !== 'dumb';

/** Shows a session on the screen until the person leaves it, and tells how it stands then. */
export const showSession = async (
	here: Here,
	session: LastSession,
	config: Config,
): Promise<void> => {
	const state = await openScreen(here, session, config);
	print(partingWords(state.session?.ended?.why, session.id));
};

export type OpenScreenOptions = {
	/** Says what to try next; without it the screen has no line for that. */
	readonly hint?: Hint;
};

/**
Opens the screen on a session until the person leaves it, and returns the state as last seen on it.

The screen and all it is made of are loaded only here, so that a command that prints text does not wait for them.
*/
export const openScreen = async (
	here: Here,
	{folder}: LastSession,
	config: Config,
	options: OpenScreenOptions = {},
): Promise<State> => {
	const {createLiveStore} = await import('../client/store/live-store.ts');
	const {showScreen} = await import('../tui/screen.tsx');
	const ask = (request: Readonly<Record<string, unknown>>) => askSupervisor(here, request);
	const care = setInterval(() => {
		reachSupervisor(here).then(
			control => control.close(),
			() => {},
		);
	}, careMs);
	const store = createLiveStore({
		journal: folder.journal,
		folders: {
			transcripts: agent => dirname(folder.agent(agent).transcript(1)),
			checks: dirname(folder.verify(1).log),
			commands: folder.commands,
			telemetry: folder.telemetry,
		},
		ask,
	});
	try {
		await showScreen({
			store,
			ask,
			edit: file => editFile(file, process.env),
			visit: (agent, how) => visit(here, agent, how),
			theme: config.theme,
			keys: config.keys,
			calls: config.notify,
			input: process.stdin,
			output: process.stdout,
			environment: process.env,
			...options,
		});
	} finally {
		clearInterval(care);
	}

	return store.model().state;
};

/** One line for the normal screen, so that nobody wonders whether leaving has ended anything. */
const partingWords = (ended: string | undefined, id: string): string =>
	ended === undefined
		? `Session ${id} goes on without the screen. Come back: delegate-tui   End it: delegate-tui stop`
		: `Session ${id} has ended: ${ended}`;
