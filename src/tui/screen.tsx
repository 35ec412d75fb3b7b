import {type ControllerOptions, createController} from './controller.ts';
import {Frame} from './frame.tsx';
import {withKeys} from './keys.ts';
import type {Compose, Versions, View} from './model/view.ts';
import type {Terminal} from './terminal/full-screen.ts';
import {notifyFromTerminal, type ScreenNotifications} from './terminal/notify-from-terminal.ts';
import {openShell} from './terminal/open-shell.tsx';

export type ScreenOptions = Terminal &
	Pick<ControllerOptions, 'store' | 'ask' | 'visit' | 'keepLook' | 'looks' | 'hint' | 'from'> & {
		readonly theme: 'auto' | 'dark' | 'light';
		/** The person's own keys, by the names of actions. */
		readonly keys: Readonly<Record<string, string>>;
		/** Prepares to open a file in the person's editor, or in their merge tool, or throws; what it returns needs the terminal until it settles. */
		readonly edit: (file: string, versions?: Versions) => () => Promise<void>;
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
	const {store, calls, input, output, environment, theme} = options;
	const controller = createController({
		...options,
		table: withKeys(options.keys),
		size: {columns: output.columns, rows: output.rows},
		edit: async (file, versions) => shell.lend(options.edit(file, versions)),
		visit: async (agent, how) => {
			let told = '';
			await shell.lend(async () => {
				told = await options.visit(agent, how);
			});
			return told;
		},
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
