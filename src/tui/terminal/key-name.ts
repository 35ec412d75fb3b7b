import type {Key} from 'ink';
import {graphemes} from '../../lib/text/sanitize.ts';

/**
Returns the names of pressed keys, in the form of the table of keys and the config: `q`, `enter`, `ctrl+c`, `pageDown`.

Fast typing arrives in one chunk of several keys. A release returns none, and neither does a key with Super or Hyper, which is meant for the desktop or the terminal.
*/
export const keyNames = (input: string, key: Key): readonly string[] => {
	if (key.eventType === 'release' || key.super || key.hyper) {
		return [];
	}

	if (key.return) {
		return [key.meta || key.shift ? 'alt+enter' : 'enter'];
	}

	const [, special] = specials.find(([name]) => key[name]) ?? [];
	if (special !== undefined) {
		return [special === 'tab' && key.shift ? 'shift+tab' : special];
	}

	if (key.ctrl || key.meta) {
		return input === '' ? [] : [`${key.ctrl ? 'ctrl' : 'alt'}+${input.toLowerCase()}`];
	}

	return [...graphemes(input)].map(({segment}) => characters[segment] ?? controlKey(segment));
};

/** Returns whether a key is text; other keys have names of several letters. */
export const isText = (key: string): boolean => key === 'space' || [...graphemes(key)].length === 1;

const characters: Readonly<Record<string, string>> = {
	' ': 'space',
	'\r': 'enter',
	'\r\n': 'enter',
	'\n': 'ctrl+j',
	'\t': 'tab',
	'\x7f': 'backspace',
	'\x1b': 'esc',
};

/** Returns the name of a control character: Ctrl with a letter arrives as the letter's place in the alphabet. */
const controlKey = (segment: string): string =>
	/^[\x01-\x1a]$/.test(segment)
		? `ctrl+${String.fromCharCode(segment.charCodeAt(0) + 0x60)}`
		: segment;

const specials = [
	['escape', 'esc'],
	['tab', 'tab'],
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageUp', 'pageUp'],
	['pageDown', 'pageDown'],
	['home', 'home'],
	['end', 'end'],
	['backspace', 'backspace'],
	['delete', 'delete'],
] as const;

const signs: Readonly<Record<string, string>> = {
	up: '↑',
	down: '↓',
	left: '←',
	right: '→',
	enter: '⏎',
	esc: 'Esc',
	tab: 'Tab',
	'shift+tab': '⇧Tab',
	space: 'Space',
	pageUp: 'PgUp',
	pageDown: 'PgDn',
	home: 'Home',
	end: 'End',
};

/** Returns a key in the form for people. */
export const keySign = (name: string): string =>
	name.startsWith('alt+')
		? `Alt-${keySign(name.slice(4))}`
		: (signs[name] ?? name.replace(/^ctrl\+/, '^'));
