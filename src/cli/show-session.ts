import {dirname} from 'node:path';
import type {Asked} from '../client/supervisor/asked.ts';
import {mergeByTool} from '../git/merge/merge-tool.ts';
import {defined} from '../lib/defined.ts';
import {failureText} from '../lib/failure.ts';
import type {State} from '../state/state.ts';
import {visitorEnvironment} from '../supervisor/requests/require-person.ts';
import type {Compose, Hint, View} from '../tui/model/view.ts';
import type {ScreenEnding} from '../tui/screen.tsx';
import {addOnScreen} from './agent/add-on-screen.ts';
import {handOnScreen} from './agent/hand-on-screen.ts';
import {keepLook, readLooks} from './agent/last-look.ts';
import {visit} from './agent/visit.ts';
import {withProgram} from './agent/with-program.ts';
import type {Config} from './config/config.ts';
import {editFile} from './edit-file.ts';
import type {Here, LastSession} from './here.ts';
import {print} from './output.ts';
import type {Composed} from './plan/compose.ts';
import {editPlan} from './plan/edit-plan.ts';
import {isAtTerminal} from './questions.ts';
import {askSupervisor, reachSupervisor} from './reach-supervisor.ts';

/** How often an open screen sees to it that there is a supervisor, in milliseconds. */
const careMs = 3000;

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
	session: LastSession,
	config: Config,
	options: OpenScreenOptions = {},
): Promise<State> => {
	let from: View | undefined;
	for (;;) {
		const {state, ending} = await showOnce(here, session, config, {...options, ...defined({from})});
		if (ending.do === 'leave') {
			return state;
		}

		const {
			isChanged,
			tone = 'info',
			text,
		} = await orWhyNot(composed(here, config, {session, state}, ending.compose));
		const place = isChanged ? ({at: 'board'} as const) : ending.view.place;
		from = {...ending.view, place, notice: {tone, text}};
	}
};

/** Tells what keeps a form from being shown, so that it does not take the screen along. */
export const orWhyNot = (composed: Promise<Composed>): Promise<Composed> =>
	composed.catch((error: unknown) => ({isChanged: false, tone: 'bad', text: failureText(error)}));

const composed = (
	here: Here,
	config: Config,
	{session, state}: {readonly session: LastSession; readonly state: State},
	compose: Compose,
): Promise<Composed> => {
	switch (compose.what) {
		case 'plan':
			return editPlan(here, config, {session, state, item: compose.item});
		case 'subtask':
			return addOnScreen(here, config, {state, words: compose.words});
		case 'handed on':
			return handOnScreen(here, config, {session, state, ...compose});
	}
};

type Shown = {readonly state: State; readonly ending: ScreenEnding};

/** Shows it until the person leaves it, or wants to write something that needs the whole screen. */
const showOnce = async (
	here: Here,
	{folder, state}: LastSession,
	config: Config,
	options: OpenScreenOptions & {readonly from?: View},
): Promise<Shown> => {
	const {createLiveStore} = await import('../client/store/live-store.ts');
	const {showScreen} = await import('../tui/screen.tsx');
	const ask = async (request: Asked) => askSupervisor(here, await withProgram(here, request));
	const care = setInterval(() => {
		reachSupervisor(here).then(
			control => control.close(),
			() => {},
		);
	}, careMs);
	const looks = await readLooks(folder, state.agents);
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
	let ending: ScreenEnding;
	try {
		ending = await showScreen({
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
			visit: (agent, how) => visit(here, agent, how),
			looks,
			keepLook: (agent, snapshot) => void keepLook(folder.agent(agent), snapshot),
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

	return {state: store.model().state, ending};
};

/** One line for the normal screen, so that nobody wonders whether leaving has ended anything. */
const partingWords = (ended: string | undefined, id: string): string =>
	ended === undefined
		? `Session ${id} goes on without the screen. Come back: delegate-tui   End it: delegate-tui stop`
		: `Session ${id} has ended: ${ended}`;
