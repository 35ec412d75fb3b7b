import {withOwnKeys} from '../action.ts';
import type {Terminal} from '../terminal/full-screen.ts';
import {openShell} from '../terminal/open-shell.tsx';
import {type ControllerOptions, createController, type Ending} from './controller.ts';
import {ComposerFrame} from './frame.tsx';
import {composerActions} from './keys.ts';

export type ComposerOptions = Terminal &
	Pick<ControllerOptions, 'desk' | 'outside' | 'composition'> & {
		readonly theme: 'auto' | 'dark' | 'light';
		/** The person's own keys, by the names of actions. */
		readonly keys: Readonly<Record<string, string>>;
	};

/** Lets the person compose a plan until they start it or leave; the terminal is then as it was found. */
export const showComposer = async (options: ComposerOptions): Promise<Ending> => {
	const {theme, input, output, environment} = options;
	let ending: Ending = 'left';
	const controller = createController({
		...options,
		table: withOwnKeys(composerActions, options.keys),
		size: {columns: output.columns, rows: output.rows},
		onEnd: end => {
			ending = end;
			shell.close();
		},
	});
	const shell = openShell({controller, frame: ComposerFrame, theme, input, output, environment});
	try {
		await shell.closed;
	} finally {
		controller.close();
	}

	return ending;
};
