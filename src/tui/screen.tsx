import type {Ask} from '../client/resources/resources.ts';
import type {Store} from '../client/store/store.ts';
import {defined} from '../lib/defined.ts';
import {createController} from './controller.ts';
import {Frame} from './frame.tsx';
import {withKeys} from './keys.ts';
import type {Compose, Hint, Versions, View, Visit} from './model/view.ts';
import type {Terminal} from './terminal/full-screen.ts';
import {notifyFromTerminal, type ScreenNotifications} from './terminal/notify-from-terminal.ts';
import {openShell} from './terminal/open-shell.tsx';

export type ScreenOptions = Terminal & {
	readonly store: Store;
	/** Asks the supervisor for what a person decided. */
	readonly ask: Ask;
	readonly theme: 'auto' | 'dark' | 'light';
	/** The person's own keys, by the names of actions. */
	readonly keys: Readonly<Record<string, string>>;
	/** Prepares to open a file in the person's editor, or in their merge tool, or throws; what it returns needs the terminal until it settles. */
	readonly edit: (file: string, versions?: Versions) => () => Promise<void>;
	/** Lets the person into the worktree of an agent; needs the terminal until it settles, with a sentence on what came of it. */
	readonly visit: (agent: string, how: Visit) => Promise<string>;
	/** Keeps how far a person has looked at an agent's work; nothing is kept without it. */
	readonly keepLook?: (agent: string, snapshot: number) => void;
	/** How far they had looked at each agent's work before: numbers of snapshots. */
	readonly looks?: Readonly<Record<string, number>>;
	/** Fills a line of its own; without it there is none. */
	readonly hint?: Hint;
	/** How the screen was left, for who comes back to it. */
	readonly from?: View;
	/** How a person who looks elsewhere is called; without it nobody is. */
	readonly calls?: ScreenNotifications;
};

/** How the screen came to its end: the person left it, or wants the form of a plan and then comes back. */
export type ScreenEnding =
	| {readonly do: 'leave'}
	| {readonly do: 'compose'; readonly compose: Compose; readonly view: View};

/**
Shows the screen until the person leaves it; the terminal is then as it was found.

The session does not depend on it in any way. Throws what broke the screen, after the terminal was put back.
*/
export const showScreen = async (options: ScreenOptions): Promise<ScreenEnding> => {
	let ending: ScreenEnding = {do: 'leave'};
	const {store, ask, hint, from, calls, input, output, environment, theme} = options;
	const controller = createController({
		store,
		table: withKeys(options.keys),
		size: {columns: output.columns, rows: output.rows},
		ask,
		edit: async (file, versions) => shell.lend(options.edit(file, versions)),
		visit: async (agent, how) => {
			let told = '';
			await shell.lend(async () => {
				told = await options.visit(agent, how);
			});
			return told;
		},
		...defined({keepLook: options.keepLook, looks: options.looks, hint, from}),
		onLeave: () => shell.close(),
		onCompose: (compose, view) => {
			ending = {do: 'compose', compose, view};
			shell.close();
		},
	});
	const shell = openShell({controller, frame: Frame, theme, input, output, environment});
	const stopCalling =
		calls === undefined
			? () => {}
			: notifyFromTerminal({store, preferences: calls, output, environment});
	try {
		await shell.closed;
	} finally {
		stopCalling();
		store.close();
	}

	return ending;
};
