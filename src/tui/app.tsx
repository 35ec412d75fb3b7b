import {useApp} from 'ink';
import {useLayoutEffect, useSyncExternalStore} from 'react';
import type {Controller} from './controller.ts';
import {Frame} from './frame.tsx';
import type {Suspend} from './lent-terminal.ts';
import type {Theme} from './theme.ts';
import {useTerminal} from './use-terminal.ts';

export type AppProps = {
	readonly controller: Controller;
	readonly theme: Theme;
	/** Is told how the screen is taken away for another program. */
	readonly onStand: (suspend: Suspend) => void;
};

/** Draws what the controller holds, and hands it what comes from the terminal. */
export const App = ({controller, theme, onStand}: AppProps) => {
	const context = useSyncExternalStore(controller.subscribe, controller.context);
	const {suspendTerminal} = useApp();
	useTerminal(controller.take);
	useLayoutEffect(() => onStand(suspendTerminal), [onStand, suspendTerminal]);
	return <Frame context={context} theme={theme} />;
};
