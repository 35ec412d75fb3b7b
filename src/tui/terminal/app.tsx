import {ThemeProvider as UiThemeProvider} from '@inkjs/ui';
import {Box, useApp, useInput, usePaste, useWindowSize} from 'ink';
import {type ComponentType, type ReactNode, useLayoutEffect, useSyncExternalStore} from 'react';
import {Rows} from '../components/rows.tsx';
import {paragraph} from '../rows/row.ts';
import {type Theme, ThemeProvider, uiThemeFor} from '../theme.ts';
import {isTooSmall, type Size, type Suspend, smallest} from './full-screen.ts';
import {keyNames} from './key-name.ts';

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

/** What is said instead of everything else where it would have no room. */
const TooSmall = ({columns, rows}: Size) => {
	const needed = `at least ${smallest.columns}×${smallest.rows} is needed`;
	const text = `This window is too small. It has ${columns}×${rows}; ${needed}. q leaves.`;
	return <Rows rows={paragraph(text, columns, 'warn')} height={rows} />;
};

export type WholeScreenProps = {
	readonly size: Size;
	readonly theme: Theme;
	readonly children: ReactNode;
};

/** A frame, exactly as large as the screen: a taller one would make the terminal scroll. */
export const WholeScreen = ({size, theme, children}: WholeScreenProps) => (
	<ThemeProvider value={theme}>
		<UiThemeProvider theme={uiThemeFor(theme)}>
			{/* A window that is made narrower is drawn once before its size is known here: no row may wrap then. */}
			<Box width="100%" height={size.rows} overflow="hidden">
				<Box
					flexDirection="column"
					flexShrink={0}
					width={size.columns}
					height={size.rows}
					overflow="hidden"
				>
					{isTooSmall(size) ? <TooSmall columns={size.columns} rows={size.rows} /> : children}
				</Box>
			</Box>
		</UiThemeProvider>
	</ThemeProvider>
);

/** What comes from the terminal. */
export type FromTerminal =
	/** `at`: when it was pressed, in milliseconds from anywhere; a key without it comes after a pause. */
	| {readonly kind: 'key'; readonly key: string; readonly at?: number}
	| {readonly kind: 'paste'; readonly text: string}
	| {readonly kind: 'resize'; readonly size: Size};

/** Hands on what comes from the terminal, and its size. */
const useTerminal = (take: (input: FromTerminal) => void): void => {
	const {columns, rows} = useWindowSize();
	useLayoutEffect(() => {
		take({kind: 'resize', size: {columns, rows}});
	}, [take, columns, rows]);
	useInput((input, key) => {
		const at = performance.now();
		for (const name of keyNames(input, key)) {
			take({kind: 'key', key: name, at});
		}
	});
	usePaste(text => take({kind: 'paste', text}));
};
