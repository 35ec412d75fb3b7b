import type {IBufferCell} from '@xterm/headless';

/** Colours of a picture: the terminal's sixteen, and its foreground and background. */
export const palette = {
	background: '#12161e',
	foreground: '#d3d9e4',
	numbered: [
		'#2a303c',
		'#f0717d',
		'#8fce7e',
		'#e8bd69',
		'#74a8f5',
		'#c695e8',
		'#5fc9d3',
		'#d3d9e4',
		'#6b7485',
		'#ff8f99',
		'#a9e29a',
		'#ffd68a',
		'#95c0ff',
		'#dbb2f7',
		'#85e0e8',
		'#ffffff',
	],
} as const;

/** Look of a cell. */
export type Look = {
	readonly ink: string;
	/** Background, if it is not the picture's own. */
	readonly resource?: string;
	readonly bold: boolean;
	readonly underline: boolean;
};

/** Returns the look of a cell. */
export const lookOf = (cell: IBufferCell): Look => {
	const foreground = colorOf(cell.isFgPalette(), cell.isFgRGB(), cell.getFgColor());
	const background = colorOf(cell.isBgPalette(), cell.isBgRGB(), cell.getBgColor());
	const isInverse = cell.isInverse() !== 0;
	const ink = isInverse ? (background ?? palette.background) : (foreground ?? palette.foreground);
	const resource = isInverse ? (foreground ?? palette.foreground) : background;
	return {
		ink: cell.isDim() ? mixed(ink, resource ?? palette.background) : ink,
		...(resource === undefined ? {} : {resource}),
		bold: cell.isBold() !== 0,
		underline: cell.isUnderline() !== 0,
	};
};

/** Returns a colour; a program that uses more than the sixteen gives its exact value. */
const colorOf = (isNumbered: boolean, isMixed: boolean, color: number): string | undefined => {
	if (isMixed) {
		return `#${color.toString(16).padStart(6, '0')}`;
	}

	return isNumbered ? palette.numbered[color] : undefined;
};

/** Share of a dim colour. */
const dimmed = 0.6;

const mixed = (ink: string, resource: string): string =>
	`#${[1, 3, 5]
		.map(at => part(ink, at) * dimmed + part(resource, at) * (1 - dimmed))
		.map(value => Math.round(value).toString(16).padStart(2, '0'))
		.join('')}`;

const part = (color: string, at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
