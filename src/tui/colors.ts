/** Meanings of text on the screen, in the order of the docs; see `Tone`. */
export const tones = [
	'plain',
	'dim',
	'strong',
	'heading',
	'file',
	'good',
	'bad',
	'warn',
	'info',
	'added',
	'removed',
	'addedWord',
	'removedWord',
	'location',
	'comment',
	'keyword',
	'string',
	'constant',
	'selected',
	'found',
	'key',
] as const;

/** Names of a terminal's own colours. */
export const colorNames = [
	'black',
	'red',
	'green',
	'yellow',
	'blue',
	'magenta',
	'cyan',
	'white',
	'gray',
] as const;

export type Color = (typeof colorNames)[number] | `#${string}`;

/** A person's colours in place of a theme's, by tone; validated when they are read. */
export type Colors = Readonly<Record<string, string>>;

export const themeNames = ['auto', 'dark', 'light', 'contrast'] as const;

export type ThemeName = (typeof themeNames)[number];
