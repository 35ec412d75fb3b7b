import {ThemeProvider as UiThemeProvider} from '@inkjs/ui';
import {Box} from 'ink';
import type {ReactNode} from 'react';
import {type Theme, ThemeProvider} from '../theme.ts';
import {uiThemeFor} from '../ui-theme.ts';
import {isTooSmall, type Size} from './size.ts';
import {TooSmall} from './too-small.tsx';

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
