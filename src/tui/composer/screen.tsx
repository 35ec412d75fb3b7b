import {withOwnKeys} from '../action.ts';
import type {Terminal} from '../terminal/full-screen.ts';
import {openShell} from '../terminal/open-shell.tsx';
import {createController, type Ending, type Outside} from './controller.ts';
import type {Desk} from './desk.ts';
import {ComposerFrame} from './frame.tsx';
import {composerActions} from './keys.ts';
import type {Composition} from './model/composition.ts';

export type ComposerOptions = Terminal & {
	readonly desk: Desk;
	readonly outside: Outside;
	/** The plan to begin with. */
	readonly composition: Composition;
	readonly theme: 'auto' | 'dark' | 'light';
	/** The person's own keys, by the names of actions. */
	readonly keys: Readonly<Record<string, string>>;
};

/** Lets the person compose a plan until they start it or leave; the terminal is then as it was found. */
export const showComposer = async (options: ComposerOptions): Promise<Ending> => {
	const {desk, outside, composition, theme, input, output, environment} = options;
	let ending: Ending = 'left';
	const controller = createController({
		desk,
		outside,
		composition,
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
