import {render} from 'ink';
import {App} from './app.tsx';
import {createController} from './controller.ts';
import {withKeys} from './keys.ts';
import type {Ask} from './reading/papers.ts';
import type {Store} from './reading/store.ts';
import {themeFor} from './theme.ts';

export type ScreenOptions = {
	readonly store: Store;
	/** Asks the supervisor for what a person decided. */
	readonly ask: Ask;
	readonly theme: 'auto' | 'dark' | 'light';
	/** The person's own keys, by the names of actions. */
	readonly keys: Readonly<Record<string, string>>;
	readonly input: NodeJS.ReadStream;
	readonly output: NodeJS.WriteStream;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/**
Shows the screen until the person leaves it; the terminal is then as it was found.

The session does not depend on it in any way. Throws what broke the screen, after the terminal was put back.
*/
export const showScreen = async (options: ScreenOptions): Promise<void> => {
	const {store, ask, input, output, environment} = options;
	const controller = createController({
		store,
		table: withKeys(options.keys),
		size: {columns: output.columns, rows: output.rows},
		ask,
		onLeave: () => instance.unmount(),
	});
	// Keys that are pressed before the first frame must not be echoed onto it.
	input.setRawMode(true);
	const instance = render(
		<App controller={controller} theme={themeFor(options.theme, environment)} />,
		{
			stdin: input,
			stdout: output,
			alternateScreen: environment.INK_SCREEN_READER !== 'true',
			incrementalRendering: true,
			// The store bounds how often something is new; a second bound would only delay keys.
			maxFps: 120,
			patchConsole: false,
			exitOnCtrlC: false,
			kittyKeyboard: {mode: 'auto'},
		},
	);
	try {
		await instance.waitUntilExit();
	} finally {
		store.close();
	}
};
