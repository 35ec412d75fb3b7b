import {useInput, usePaste, useWindowSize} from 'ink';
import {useLayoutEffect, useSyncExternalStore} from 'react';
import type {Controller} from './controller.ts';
import {Frame} from './frame.tsx';
import {keyNames} from './key-name.ts';
import type {Theme} from './theme.ts';

export type AppProps = {readonly controller: Controller; readonly theme: Theme};

/** Draws what the controller holds, and hands it what comes from the terminal. */
export const App = ({controller, theme}: AppProps) => {
	const context = useSyncExternalStore(controller.subscribe, controller.context);
	const {columns, rows} = useWindowSize();
	useLayoutEffect(() => {
		controller.take({kind: 'resize', size: {columns, rows}});
	}, [controller, columns, rows]);
	useInput((input, key) => {
		for (const name of keyNames(input, key)) {
			controller.take({kind: 'key', key: name});
		}
	});
	usePaste(text => controller.take({kind: 'paste', text}));
	return <Frame context={context} theme={theme} />;
};
