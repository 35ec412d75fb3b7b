import {defaultTheme, extendTheme} from '@inkjs/ui';
import type {TextProps} from 'ink';
import {createContext, useContext} from 'react';
import type {Tone} from './rows/row.ts';

type Look = Pick<
	TextProps,
	'color' | 'backgroundColor' | 'bold' | 'dimColor' | 'inverse' | 'underline'
>;

/** What each meaning looks like. */
export type Theme = Readonly<Record<Tone, Look>>;

/** Everything is told by words or signs as well, so that a screen without colours says the same. */
const plain: Theme = {
	plain: {},
	dim: {dimColor: true},
	strong: {bold: true},
	heading: {bold: true, underline: true},
	file: {bold: true, underline: true},
	good: {},
	bad: {bold: true},
	warn: {bold: true},
	info: {},
	added: {},
	removed: {},
	addedWord: {bold: true, underline: true},
	removedWord: {bold: true, underline: true},
	location: {dimColor: true},
	selected: {inverse: true},
	key: {bold: true},
};

/** The sixteen colours of a terminal are its owner's choice, so they are taken where they can be read. */
const dark: Theme = {
	...plain,
	heading: {bold: true, color: 'cyan'},
	file: {bold: true, color: 'magenta'},
	good: {color: 'green'},
	bad: {color: 'red', bold: true},
	warn: {color: 'yellow', bold: true},
	info: {color: 'cyan'},
	added: {color: 'green'},
	removed: {color: 'red'},
	addedWord: {color: 'green', inverse: true},
	removedWord: {color: 'red', inverse: true},
	location: {color: 'cyan', dimColor: true},
	key: {color: 'cyan', bold: true},
};

const light: Theme = {
	...dark,
	heading: {bold: true, color: 'blue'},
	warn: {color: '#8a5a00', bold: true},
	info: {color: 'blue'},
	location: {color: 'blue'},
	key: {color: 'blue', bold: true},
};

/** Returns the theme for a terminal; `auto` goes by what the terminal tells of its background. */
export const themeFor = (
	wanted: 'auto' | 'dark' | 'light',
	environment: Readonly<Record<string, string | undefined>>,
): Theme => {
	if (environment.NO_COLOR) {
		return plain;
	}

	const isLight =
		wanted === 'auto' ? hasLightBackground(environment.COLORFGBG) : wanted === 'light';
	return isLight ? light : dark;
};

/** `COLORFGBG` is `foreground;background`, by the numbers of the sixteen colours. */
const hasLightBackground = (colors: string | undefined): boolean => {
	const background = Number(colors?.split(';').at(-1) ?? Number.NaN);
	return background === 7 || background === 15;
};

const ThemeContext = createContext(plain);

/** Hands the theme to everything below. */
export const ThemeProvider = ThemeContext.Provider;

/** Returns what a meaning looks like here. */
export const useTheme = (): Theme => useContext(ThemeContext);

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
