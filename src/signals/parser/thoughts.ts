import {createHeld} from './held.ts';
import type {Line, Open} from './open.ts';
import type {Reader} from './reader.ts';

/** Returns what follows the tag at the start of a line that opens an agent's thoughts. */
export const thoughtsOf = (text: string): string | undefined => {
	const [tag] = /^<think(?:ing)?>/i.exec(text) ?? [];
	return tag === undefined ? undefined : text.slice(tag.length);
};

/** The most lines that thoughts are taken to have; what goes on for longer lacks its end. */
const longestThoughts = 2000;

/**
What an agent thinks aloud, from `<thinking>` at the start of a line to `</thinking>`.

It drafts there what it says afterwards, so nothing in it is said. Thoughts that never end are none: after so many lines, or at the end of the stream, all that was said in them counts.
*/
export const openThoughts = (inner: Reader, opener: Line): Open => {
	const held = createHeld();
	let isClosed = false;

	return {
		take: line => {
			const [end] = line.text.match(/<\/think(?:ing)?>/i) ?? [];
			if (end === undefined) {
				if (line.number - opener.number > longestThoughts && !inner.isOpen()) {
					return 'before';
				}

				held.hold(inner.read(line));
				return 'more';
			}

			isClosed = true;
			return {last: line.text.slice(line.text.indexOf(end) + end.length).trim()};
		},
		settle: () => {
			held.hold(inner.end());
			return isClosed ? [] : held.latest;
		},
	};
};
