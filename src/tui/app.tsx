import {
	Box,
	type Instance,
	render,
	Text,
	useApp,
	useInput,
	usePaste,
	useStdout,
	useWindowSize,
} from 'ink';
import {type EffectCallback, useLayoutEffect, useSyncExternalStore} from 'react';
import type {Controller} from './controller.ts';
import {frameOf} from './frame.ts';
import type {Context} from './model/view.ts';
import type {Row} from './rows/row.ts';
import {isLinear, laidOutSize, type Suspend, type Terminal} from './terminal/full-screen.ts';
import {keyNames} from './terminal/key-name.ts';
import {rowText, type Theme} from './theme.ts';

export type AppProps = {
	readonly controller: Controller;
	readonly theme: Theme;
	readonly environment: Terminal['environment'];
	/** Called with the function that suspends the screen for another program, and the one that writes to the terminal and then draws the screen anew; its result is called when the screen ends. */
	readonly onStand: (
		suspend: Suspend,
		drawAfter: (written: string) => void,
	) => ReturnType<EffectCallback>;
};

/** Has Ink draw on the whole screen, which is restored however the program ends. */
export const openApp = (
	props: Omit<AppProps, 'environment'>,
	{input, output, environment}: Terminal,
): Instance =>
	render(<App {...props} environment={environment} />, {
		stdin: input,
		stdout: output,
		alternateScreen: !isLinear(environment),
		incrementalRendering: true,
		// The store already limits the number of updates; a second limit would only delay keys.
		maxFps: 120,
		patchConsole: false,
		exitOnCtrlC: false,
		kittyKeyboard: {mode: 'auto'},
	});

/** Draws the controller's context, and passes the terminal's input to the controller. */
export const App = ({controller, theme, environment, onStand}: AppProps) => {
	const context = useSyncExternalStore(controller.subscribe, controller.context);
	const {suspendTerminal} = useApp();
	const {write} = useStdout();
	useTerminal(controller.take, environment);
	useLayoutEffect(() => onStand(suspendTerminal, write), [onStand, suspendTerminal, write]);
	return <Frame context={context} theme={theme} linear={isLinear(environment)} />;
};

type FrameProps = {
	readonly context: Context;
	readonly theme: Theme;
	/** True if a screen reader reads it. */
	readonly linear?: boolean;
};

/** Draws one frame; rows must not wrap in a window that was narrowed before its new size is known. */
export const Frame = ({context, theme, linear = false}: FrameProps) => (
	<Box flexDirection="column" width="100%" height={context.view.size.rows} overflow="hidden">
		{(linear ? spokenRows(frameOf(context)) : frameOf(context)).map((row, index) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its place on the screen
			<Text key={index} wrap="truncate">
				{rowText(row, theme) || ' '}
			</Text>
		))}
	</Box>
);

/** Returns rows without visual elements: separator lines and blank rows. */
const spokenRows = (rows: readonly Row[]): readonly Row[] =>
	rows
		.map(row => row.map(cell => ({...cell, text: cell.text.replaceAll(/[─━]+ ?/g, '')})))
		.filter(row => row.some(({text}) => text.trim() !== ''));

const useTerminal = (take: Controller['take'], environment: Terminal['environment']): void => {
	const {columns, rows} = useWindowSize();
	useLayoutEffect(() => {
		take({kind: 'resize', size: laidOutSize({columns, rows}, environment)});
	}, [take, columns, rows, environment]);
	useInput((input, key) => {
		const at = Date.now();
		for (const name of keyNames(input, key)) {
			take({kind: 'key', key: name, at});
		}
	});
	usePaste(text => take({kind: 'paste', text}));
};
