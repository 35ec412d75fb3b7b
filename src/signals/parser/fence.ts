import {undecorated} from './decoration.ts';
import {createHeld, type Held} from './held.ts';
import type {Line, Open} from './open.ts';
import type {Reader} from './reader.ts';

/** The mark that opens a code fence. */
export type Fence = {readonly character: string; readonly length: number};

/**
Reads the opening line of a code fence, decorated or not.

A line such as `` ```ts``` `` opens none.
*/
export const fenceOf = (text: string): (Fence & {readonly info: string}) | undefined => {
	const character = text.charAt(0);
	if (character !== '`' && character !== '~') {
		return undefined;
	}

	let length = 1;
	while (text.charAt(length) === character) {
		length += 1;
	}

	const info = text.slice(length).trim();
	return length < 3 || info.includes('`') ? undefined : {character, length, info};
};

/**
Decides when a marker is only an example.

**In a code fence** it is one, unless the fence holds exactly one whole signal and nothing else: agents that mean what they say often put it in a fence, and who explains the protocol shows several signals, or one among words. What stands there whole and can't be read is malformed; what isn't whole is an example. A fence in a fence (a mark with a language behind it) holds only examples; a fence in a signal, indented deeper, is part of what the signal says. A fence that is never closed is no fence: at the end of the stream all that was said in it counts.

**In a quote** (`> `) it is not: models quote whole answers, and the quote marks are decoration. **In a line** it always is: a bracketed marker counts at the start of a line with nothing but a field or its end behind it, a label at the start of a line and in capitals, and neither in code marks (`` `[STOP_WORK]` ``).

**A form that isn't filled in** is an example wherever it stands: a required value that is `‹…›`, `<…>` or dots, or that lists its choices as `A | B`. So the launch prompt can be echoed whole and says nothing.
*/
export const openFence = (opened: Fence, opener: Line, createInner: () => Reader): Open => {
	let inside: {readonly reader: Reader; readonly held: Held} | undefined;
	let isStray = false;
	let nested = 0;
	let isClosed = false;

	/** How the line changes the depth: a mark with words behind it opens a fence, a bare one closes the innermost. */
	const turnOf = (line: Line): -1 | 0 | 1 => {
		const mark = fenceOf(undecorated(line.text));
		if (mark === undefined || mark.character !== opened.character || mark.length < opened.length) {
			return 0;
		}

		if (inside?.reader.isOpen() && columnOf(mark, line) > columnOf(opened, opener)) {
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
				inside ??= {reader: createInner(), held: createHeld()};
				inside.held.hold(inside.reader.read(line));
			} else {
				isStray = true;
			}

			return 'more';
		},
		pass: plainly => {
			if (inside !== undefined) {
				return nested > 0 || inside.reader.pass(plainly);
			}

			// Most fences hold nothing but words, and then nobody needs to read them.
			isStray ||= plainly === 'words';
			return true;
		},
		settle: () => {
			if (inside === undefined) {
				return [];
			}

			const {reader, held} = inside;
			held.hold(reader.end());
			const isOne = held.count() === 1 && !isStray && !reader.sawStray();
			return !isClosed || (isOne && held.latest[0]?.whole) ? held.latest : [];
		},
	};
};

const columnOf = ({character}: Fence, {text}: Line): number => text.indexOf(character);
