import {undecorated} from './decoration.ts';
import type {Line, Open, Outcome} from './open.ts';
import type {Reader} from './reader.ts';

/** The line that opens a code fence. */
export type Fence = {readonly character: string; readonly length: number};

/**
Reads the opening line of a code fence, decorated or not.

A line such as `` ```ts``` `` opens none.
*/
export const fenceOf = (text: string): (Fence & {readonly info: string}) | undefined => {
	const [, marks = '', info = ''] = /^(`{3,}|~{3,})([^`]*)$/.exec(text) ?? [];
	return marks === ''
		? undefined
		: {character: marks.charAt(0), length: marks.length, info: info.trim()};
};

/** More than this many signals in a fence that isn't closed are not remembered: the latest count most. */
const HELD = 256;

/**
Decides when a marker is only an example.

**In a code fence** it is one, unless the fence holds exactly one whole signal and nothing else: agents that mean what they say often put it in a fence, and who explains the protocol shows several signals, or one among words. What stands there whole and can't be read is malformed; what isn't whole is an example. A fence in a fence (a mark with a language behind it) holds only examples. A fence that is never closed is no fence: at the end of the stream all that was said in it counts.

**In a quote** (`> `) it is not: models quote whole answers, and the quote marks are decoration. **In a line** it always is: a bracketed marker counts at the start of a line with nothing but a field or its end behind it, a label at the start of a line and in capitals, and neither in code marks (`` `[STOP_WORK]` ``).

**A form that isn't filled in** is an example wherever it stands: a required value that is `‹…›`, `<…>` or dots, or that lists its choices as `A | B`. So the launch prompt can be echoed whole and says nothing.
*/
export const openFence = (opened: Fence, inner: Reader): Open => {
	const held: Outcome[] = [];
	let said = 0;
	let nested = 0;
	let hasNested = false;
	let isClosed = false;

	const hold = (outcomes: readonly Outcome[]): void => {
		said += outcomes.length;
		held.push(...outcomes);
		held.splice(0, Math.max(0, held.length - HELD));
	};

	/** How the line changes the depth: a mark with words behind it opens a fence, a bare one closes the innermost. */
	const turnOf = (line: Line): -1 | 0 | 1 => {
		const mark = fenceOf(undecorated(line.text));
		if (mark === undefined || mark.character !== opened.character || mark.length < opened.length) {
			return 0;
		}

		return mark.info === '' ? -1 : 1;
	};

	return {
		take: line => {
			const turn = turnOf(line);
			if (turn === -1 && nested === 0) {
				isClosed = true;
				return {last: ''};
			}

			nested += turn;
			if (turn === 0 && nested === 0) {
				hold(inner.read(line));
			} else {
				hasNested = true;
			}

			return 'more';
		},
		pass: () => nested > 0 || inner.pass(),
		settle: () => {
			hold(inner.end());
			const isOne = said === 1 && !inner.sawStray() && !hasNested && held[0]?.whole === true;
			return !isClosed || isOne ? held : [];
		},
	};
};
