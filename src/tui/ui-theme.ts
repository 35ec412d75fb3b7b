import {defaultTheme, extendTheme} from '@inkjs/ui';
import type {Theme} from './theme.ts';

type Variant = {readonly variant: 'success' | 'error' | 'warning' | 'info'};

const tones = {success: 'good', error: 'bad', warning: 'warn', info: 'info'} as const;

/** Returns the theme of the ready-made components, by the same meanings as everything else. */
export const uiThemeFor = (theme: Theme) =>
	extendTheme(defaultTheme, {
		components: {
			Badge: {styles: {container: () => theme.selected, label: () => ({})}},
			ProgressBar: {
				styles: {completed: () => theme.good, remaining: () => theme.dim},
				config: () => ({completedCharacter: '━', remainingCharacter: '─'}),
			},
			StatusMessage: {
				styles: {
					icon: ({variant}: Variant) => theme[tones[variant]],
					message: () => ({wrap: 'truncate'}),
				},
			},
		},
	});
