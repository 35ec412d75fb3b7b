import {themeFor} from '../theme.ts';
import {App, type Driver, type FrameOf} from './app.tsx';
import {createLentTerminal, openFullScreen, type Suspend, type Terminal} from './full-screen.ts';

export type ShellOptions<Context> = Terminal & {
	readonly controller: Driver<Context>;
	readonly frame: FrameOf<Context>;
	readonly theme: 'auto' | 'dark' | 'light';
};

/** A whole screen that is open. */
export type Shell = {
	/** Resolves once it is closed and the terminal is as it was found; rejects with what broke it. */
	readonly closed: Promise<unknown>;
	readonly close: () => void;
	/** Lends the terminal to another program until `use` settles. */
	readonly lend: Suspend;
};

/** Opens what all screens have in common: the full screen, its size and colours, and the keys that come from the terminal. */
export const openShell = <Context,>({
	controller,
	frame,
	theme,
	...terminal
}: ShellOptions<Context>): Shell => {
	const {learn, lend} = createLentTerminal(terminal.input);
	const instance = openFullScreen(
		<App
			controller={controller}
			frame={frame}
			theme={themeFor(theme, terminal.environment)}
			onStand={learn}
		/>,
		terminal,
	);
	return {closed: instance.waitUntilExit(), close: () => instance.unmount(), lend};
};
