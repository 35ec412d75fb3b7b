import {onExit} from 'signal-exit';
import {isLinear, type Mouse, type Terminal} from './full-screen.ts';

const tell = '\x1b[?1002h\x1b[?1006h';
const tellNoMore = '\x1b[?1006l\x1b[?1002l';

type MouseOptions = Terminal & {
	/** True if the mouse is to be used. */
	readonly mouse: boolean;
	/** Further query for the terminal at the start; its answer is removed from the input like mouse reports. */
	readonly query?: {
		readonly ask: string;
		/** Matches the answer, and the beginning of one at the end of the input, which may arrive in two chunks. */
		readonly answer: RegExp;
		readonly unfinished: RegExp;
		readonly answered: (answer: string) => void;
	};
};

/**
Returns the mouse of a terminal, whose reports are turned off however this process ends; `take` gets its events.

Ink drops input that is no key, so mouse reports are removed from the input before Ink reads it.
*/
export const mouseOf = (
	{input, output, environment, mouse, query}: MouseOptions,
	take: (did: Exclude<OfMouse, {kind: 'other'}>) => void,
): Mouse => {
	if ((!mouse && query === undefined) || isLinear(environment)) {
		return {listen: () => {}, rest: () => {}};
	}

	const {read} = input;
	let isTold = false;
	let begun = '';
	let isAfterEscape = false;
	let unasked = query;
	let awaited = query;
	const rest = (): void => {
		if (isTold) {
			isTold = false;
			input.read = read;
			begun = '';
			isAfterEscape = false;
			output.write(mouse ? tellNoMore : '');
		}
	};

	onExit(rest);
	return {
		listen: () => {
			if (isTold) {
				return;
			}

			isTold = true;
			output.write(`${mouse ? tell : ''}${unasked?.ask ?? ''}`);
			unasked = undefined;
			input.read = size => {
				const chunk: unknown = read.call(input, size);
				if (typeof chunk !== 'string') {
					return chunk;
				}

				// An ESC at the end of a chunk was passed on at once, since it may be the key.
				const passed = isAfterEscape && chunk.startsWith('[<') ? '\x1b' : '';
				let text = `${passed}${begun}${chunk}`;
				if (awaited !== undefined) {
					const {answer, answered} = awaited;
					text = text.replace(answer, found => {
						awaited = undefined;
						answered(found);
						return '';
					});
				}

				const [keys = '', unfinished = ''] = withoutEnd(
					text,
					awaited === undefined ? [report] : [report, awaited.unfinished],
				);
				begun = unfinished;
				isAfterEscape = keys.endsWith('\x1b');
				return keys.replaceAll(whole, sequence => {
					const did = ofMouse(sequence);
					if (did !== undefined && did.kind !== 'other') {
						take(did);
					}

					return '';
				});
			};
		},
		rest,
	};
};

/** Matches a mouse report: in SGR form, or the three bytes of terminals without it, which are dropped. */
const whole = /\x1b\[(?:<\d+;\d+;\d+[Mm]|M[\s\S]{3})/g;

/** Matches the beginning of a control sequence at the end of the input: Ink takes one for keys that is not complete within 20 ms, and then so is a paste. */
const report = /\x1b\[(?:[<\d;:]*|M[\s\S]{0,2})$/;

/** Splits off an incomplete sequence at the end, since one may arrive in two chunks. */
const withoutEnd = (text: string, unfinished: readonly RegExp[]): readonly string[] => {
	const at = Math.min(...unfinished.map(end => text.search(end)).filter(at => at !== -1));
	return [text.slice(0, at), text.slice(at)];
};

/** A mouse event of a terminal; `other` has no use here. */
type OfMouse =
	| {readonly kind: 'wheel'; readonly by: 1 | -1}
	| {readonly kind: 'click' | 'drag'; readonly row: number; readonly column: number}
	| {readonly kind: 'other'};

/** Parses a mouse report; returns nothing for a key. */
export const ofMouse = (input: string): OfMouse | undefined => {
	const [, button, column, row, end] = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/.exec(input) ?? [];
	if (button === undefined) {
		return undefined;
	}

	// Shift, Alt and Ctrl are bits of the same number.
	const pressed = Number(button) & ~28;
	const [atRow, atColumn] = [Number(row) - 1, Number(column) - 1];
	switch (pressed) {
		case 64:
			return {kind: 'wheel', by: -1};
		case 65:
			return {kind: 'wheel', by: 1};
		case 0:
			return end === 'M' ? {kind: 'click', row: atRow, column: atColumn} : {kind: 'other'};
		case 32:
			return {kind: 'drag', row: atRow, column: atColumn};
		default:
			return {kind: 'other'};
	}
};
