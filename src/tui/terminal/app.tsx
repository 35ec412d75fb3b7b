import {useApp} from 'ink';
import {type ComponentType, useLayoutEffect, useSyncExternalStore} from 'react';
import type {Theme} from '../theme.ts';
import type {Suspend} from './lent-terminal.ts';
import {type FromTerminal, useTerminal} from './use-terminal.ts';

/** What decides what is shown, and what a key does; it knows nothing of React. */
export type Driver<Context, Input = FromTerminal> = {
	readonly context: () => Context;
	readonly subscribe: (listener: () => void) => () => void;
	readonly take: (input: Input) => void;
};

/** Draws one frame. */
export type FrameOf<Context> = ComponentType<{readonly context: Context; readonly theme: Theme}>;

export type AppProps<Context> = {
	readonly controller: Driver<Context>;
	readonly frame: FrameOf<Context>;
	readonly theme: Theme;
	/** Is told how the screen is taken away for another program. */
	readonly onStand: (suspend: Suspend) => void;
};

/** Draws what the controller holds, and hands it what comes from the terminal. */
export const App = <Context,>({controller, frame: Frame, theme, onStand}: AppProps<Context>) => {
	const context = useSyncExternalStore(controller.subscribe, controller.context);
	const {suspendTerminal} = useApp();
	useTerminal(controller.take);
	useLayoutEffect(() => onStand(suspendTerminal), [onStand, suspendTerminal]);
	return <Frame context={context} theme={theme} />;
};
