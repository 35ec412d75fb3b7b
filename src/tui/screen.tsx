import type {Ask} from '../client/papers/papers.ts';
import type {Store} from '../client/store/store.ts';
import {App} from './app.tsx';
import {createController} from './controller.ts';
import {openFullScreen} from './full-screen.ts';
import {withKeys} from './keys.ts';
import {createLentTerminal} from './lent-terminal.ts';
import {themeFor} from './theme.ts';
import type {Hint} from './view/view.ts';

export type ScreenOptions = {
	readonly store: Store;
	/** Asks the supervisor for what a person decided. */
	readonly ask: Ask;
	readonly theme: 'auto' | 'dark' | 'light';
	/** The person's own keys, by the names of actions. */
	readonly keys: Readonly<Record<string, string>>;
	/** Prepares to open a file in the person's editor, or throws; what it returns needs the terminal until it settles. */
	readonly edit: (file: string) => () => Promise<void>;
	/** Fills a line of its own; without it there is none. */
	readonly hint?: Hint;
	readonly input: NodeJS.ReadStream;
	readonly output: NodeJS.WriteStream;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/**
Shows the screen until the person leaves it; the terminal is then as it was found.

The session does not depend on it in any way. Throws what broke the screen, after the terminal was put back.
*/
export const showScreen = async (options: ScreenOptions): Promise<void> => {
	const {store, ask, hint, input, output, environment} = options;
	const terminal = createLentTerminal(input);
	const controller = createController({
		store,
		table: withKeys(options.keys),
		size: {columns: output.columns, rows: output.rows},
		ask,
		edit: async file => terminal.lend(options.edit(file)),
		...(hint === undefined ? {} : {hint}),
		onLeave: () => instance.unmount(),
	});
	const instance = openFullScreen(
		<App
			controller={controller}
			theme={themeFor(options.theme, environment)}
			onStand={terminal.learn}
		/>,
		{input, output, environment},
	);
	try {
		await instance.waitUntilExit();
	} finally {
		store.close();
	}
};
