import chalk from 'chalk';
import {sanitize} from '../lib/text/sanitize.ts';
import type {Color, Colors, ThemeName} from './colors.ts';
import type {Row, Tone} from './rows/row.ts';
import {hyperlink} from './terminal/hyperlinks.ts';
import {imageText} from './terminal/images.ts';

type Look = {
	/** One of the terminal's own colours, or `#rrggbb`. */
	readonly color?: Color;
	readonly bold?: true;
	readonly dim?: true;
	readonly inverse?: true;
	readonly underline?: true;
};

export type Theme = Readonly<Record<Tone, Look>>;

/** Everything is shown by words or signs as well, so that a screen without colours says the same. */
const plain: Theme = {
	plain: {},
	dim: {dim: true},
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
	location: {dim: true},
	comment: {},
	keyword: {},
	string: {},
	constant: {},
	selected: {inverse: true},
	found: {bold: true, underline: true},
	key: {bold: true},
};

/** The sixteen colours of a terminal are the person's choice, so they are used if they are readable. */
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
	location: {color: 'cyan', dim: true},
	comment: {dim: true},
	keyword: {color: 'magenta'},
	string: {color: 'yellow'},
	constant: {color: 'cyan'},
	found: {color: 'yellow', inverse: true},
	key: {color: 'cyan', bold: true},
};

const light: Theme = {
	...dark,
	heading: {bold: true, color: 'blue'},
	warn: {color: '#8a5a00', bold: true},
	info: {color: 'blue'},
	location: {color: 'blue'},
	string: {color: '#8a5a00'},
	constant: {color: 'blue'},
	key: {color: 'blue', bold: true},
};

/** Theme of high contrast: nothing is dim, and changes are bold as well as coloured. */
const contrast: Theme = {
	...dark,
	dim: {},
	added: {color: 'green', bold: true},
	removed: {color: 'red', bold: true},
	location: {color: 'cyan', bold: true},
	comment: {},
	selected: {inverse: true, bold: true},
};

/** Returns the theme for a terminal, with a person's own colours; `auto` follows the terminal's background. */
export const themeFor = (
	wanted: ThemeName,
	environment: Readonly<Record<string, string | undefined>>,
	colors: Colors = {},
): Theme => {
	if (environment.NO_COLOR) {
		return plain;
	}

	const lit = hasLightBackground(environment.COLORFGBG) ? light : dark;
	const theme = {auto: lit, dark, light, contrast}[wanted];
	const own = Object.entries(colors).map(([tone, color]) => [
		tone,
		{...theme[tone as Tone], color: color as Color},
	]);
	return {...theme, ...Object.fromEntries(own)};
};

export const hasColors = (theme: Theme): boolean => theme !== plain;

/** Returns whether the background is light: `COLORFGBG` is `foreground;background`, by the numbers of the sixteen colours. */
const hasLightBackground = (colors: string | undefined): boolean => {
	const background = Number(colors?.split(';').at(-1) ?? Number.NaN);
	return background === 7 || background === 15;
};

/**
Returns a row as text with escape sequences, as far as the terminal has colours.

All text of agents, paths and branches reaches the terminal through this function, which sanitizes it.
*/
export const rowText = (row: Row, theme: Theme): string =>
	row
		.map(({text, tone, link, image}) => {
			const shown =
				image === undefined ? styled(sanitize(text), theme[tone]) : imageText(text, image);
			return link === undefined ? shown : hyperlink(shown, link);
		})
		.join('');

const styled = (text: string, look: Look): string =>
	looks.reduce((styled, apply) => apply(look, styled), text);

/** Styles, applied from the innermost on. */
const looks: readonly ((look: Look, text: string) => string)[] = [
	({dim}, text) => (dim ? chalk.dim(text) : text),
	({color}, text) => (color === undefined ? text : colored(color, text)),
	({bold}, text) => (bold ? chalk.bold(text) : text),
	({underline}, text) => (underline ? chalk.underline(text) : text),
	({inverse}, text) => (inverse ? chalk.inverse(text) : text),
];

const colored = (color: NonNullable<Look['color']>, text: string): string =>
	isHex(color) ? chalk.hex(color)(text) : chalk[color](text);

const isHex = (color: string): color is `#${string}` => color.startsWith('#');
