import {useSyncExternalStore} from 'react';
import type {Controller} from './controller.ts';
import {Frame} from './frame.tsx';
import type {Theme} from './theme.ts';
import {useTerminal} from './use-terminal.ts';

export type AppProps = {readonly controller: Controller; readonly theme: Theme};

/** Draws what the controller holds, and hands it what comes from the terminal. */
export const App = ({controller, theme}: AppProps) => {
	const context = useSyncExternalStore(controller.subscribe, controller.context);
	useTerminal(controller.take);
	return <Frame context={context} theme={theme} />;
};
