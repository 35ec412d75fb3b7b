import {Box, type Instance, render, Text, useApp, useInput, usePaste, useWindowSize} from 'ink';
import {type EffectCallback, useLayoutEffect, useSyncExternalStore} from 'react';
import type {Controller} from './controller.ts';
import {frameOf} from './frame.ts';
import type {Context} from './model/view.ts';
import {isLinear, type Suspend, type Terminal} from './terminal/full-screen.ts';
import {keyNames} from './terminal/key-name.ts';
import {rowText, type Theme} from './theme.ts';

export type AppProps = {
	readonly controller: Controller;
	readonly theme: Theme;
	/** Is told how the screen is taken away for another program; what it returns is called when the screen ends. */
	readonly onStand: (suspend: Suspend) => ReturnType<EffectCallback>;
};

/** Has Ink draw on the whole screen, which is put back however the program ends. */
export const openApp = (props: AppProps, {input, output, environment}: Terminal): Instance =>
	render(<App {...props} />, {
		stdin: input,
		stdout: output,
		alternateScreen: !isLinear(environment),
		incrementalRendering: true,
		// Whoever draws bounds how often something is new; a second bound would only delay keys.
		maxFps: 120,
		patchConsole: false,
		exitOnCtrlC: false,
		kittyKeyboard: {mode: 'auto'},
	});

/** Draws what the controller holds, and hands it what comes from the terminal. */
export const App = ({controller, theme, onStand}: AppProps) => {
	const context = useSyncExternalStore(controller.subscribe, controller.context);
	const {suspendTerminal} = useApp();
	useTerminal(controller.take);
	useLayoutEffect(() => onStand(suspendTerminal), [onStand, suspendTerminal]);
	return <Frame context={context} theme={theme} />;
};

type FrameProps = {readonly context: Context; readonly theme: Theme};

/** Draws one frame; in a window that was made narrower, and whose size isn't known here yet, no row may wrap. */
export const Frame = ({context, theme}: FrameProps) => (
	<Box flexDirection="column" width="100%" height={context.view.size.rows} overflow="hidden">
		{frameOf(context).map((row, index) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place on the screen
			<Text key={index} wrap="truncate">
				{rowText(row, theme) || ' '}
			</Text>
		))}
	</Box>
);

const useTerminal = (take: Controller['take']): void => {
	const {columns, rows} = useWindowSize();
	useLayoutEffect(() => {
		take({kind: 'resize', size: {columns, rows}});
	}, [take, columns, rows]);
	useInput((input, key) => {
		const at = Date.now();
		for (const name of keyNames(input, key)) {
			take({kind: 'key', key: name, at});
		}
	});
	usePaste(text => take({kind: 'paste', text}));
};
