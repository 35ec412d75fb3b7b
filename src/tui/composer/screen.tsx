import {useSyncExternalStore} from 'react';
import {withOwnKeys} from '../action.ts';
import {openFullScreen, type Terminal} from '../full-screen.ts';
import {type Theme, themeFor} from '../theme.ts';
import {useTerminal} from '../use-terminal.ts';
import {beginComposition} from './composition.ts';
import {type Controller, createController, type Ending, type Outside} from './controller.ts';
import {type Desk, firstAgent} from './desk.ts';
import {ComposerFrame} from './frame.tsx';
import {composerActions} from './keys.ts';

export type ComposerOptions = Terminal & {
	readonly desk: Desk;
	readonly outside: Outside;
	/** What the plan is about, as far as it was said. */
	readonly task: string;
	readonly theme: 'auto' | 'dark' | 'light';
	/** The person's own keys, by the names of actions. */
	readonly keys: Readonly<Record<string, string>>;
};

/** Lets the person compose a plan until they start it or leave; the terminal is then as it was found. */
export const showComposer = async (options: ComposerOptions): Promise<Ending> => {
	const {desk, outside, task, output, environment} = options;
	let ending: Ending = 'left';
	const controller = createController({
		desk,
		outside,
		composition: beginComposition(task, firstAgent(desk)),
		table: withOwnKeys(composerActions, options.keys),
		size: {columns: output.columns, rows: output.rows},
		onEnd: end => {
			ending = end;
			instance.unmount();
		},
	});
	const instance = openFullScreen(
		<ComposerApp controller={controller} theme={themeFor(options.theme, environment)} />,
		options,
	);
	try {
		await instance.waitUntilExit();
	} finally {
		controller.close();
	}

	return ending;
};

export type ComposerAppProps = {readonly controller: Controller; readonly theme: Theme};

/** Draws what the controller holds, and hands it what comes from the terminal. */
const ComposerApp = ({controller, theme}: ComposerAppProps) => {
	const context = useSyncExternalStore(controller.subscribe, controller.context);
	useTerminal(controller.take);
	return <ComposerFrame context={context} theme={theme} />;
};
