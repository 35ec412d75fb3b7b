import {type Instance, render} from 'ink';
import type {ReactNode} from 'react';

/** The terminal that a screen is shown in. */
export type Terminal = {
	readonly input: NodeJS.ReadStream;
	readonly output: NodeJS.WriteStream;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Takes the whole screen, which is put back however the program ends. */
export const openFullScreen = (
	tree: ReactNode,
	{input, output, environment}: Terminal,
): Instance => {
	// Keys that are pressed before the first frame must not be echoed onto it.
	input.setRawMode(true);
	// Those pressed before that were: Ink begins where the cursor is, and a first row that begins further right wraps.
	output.write('\r');
	return render(tree, {
		stdin: input,
		stdout: output,
		alternateScreen: environment.INK_SCREEN_READER !== 'true',
		incrementalRendering: true,
		// Whoever draws bounds how often something is new; a second bound would only delay keys.
		maxFps: 120,
		patchConsole: false,
		exitOnCtrlC: false,
		kittyKeyboard: {mode: 'auto'},
	});
};
