import {withoutColors} from '../../lib/text/sanitize.ts';
import {progress} from '../../signals/definitions/progress.ts';
import type {Signal} from '../../signals/index.ts';
import {bracketMarkerOf} from '../../signals/parser/markers.ts';
import {createParserOf} from '../../signals/parser/parser.ts';

/** Of very long words only the last ones are looked at, in lines. */
const looked = 300;

/** Whether the last progress that an agent told stands elsewhere already. */
export type LastProgress = 'reported here' | 'reported elsewhere';

/** A line of an agent's own words, and which of all lines it is. */
export type SpokenLine = {readonly at: number; readonly text: string};

/**
Returns the last lines of an agent's own words.

A whole signal among them is told by what comes of it, and left out; of progress, what it says is left.
*/
export const spoken = (
	lines: readonly string[],
	lastProgress: LastProgress,
): readonly SpokenLine[] => {
	const last = lines.slice(-looked).map(withoutColors);
	const first = lines.length - last.length;
	const own: SpokenLine[] = [];
	for (let at = 0; at < last.length; at++) {
		const end = endOfBlock(last, at) ?? endOfBanner(last, at);
		if (end === undefined) {
			own.push({at: first + at, text: last[at] ?? ''});
		}

		at = end ?? at;
	}

	return plainProgress(own, lastProgress).filter(
		({text}, at, kept) => text.trim() !== '' || kept[at - 1]?.text.trim() !== '',
	);
};

const plainProgress = (lines: readonly SpokenLine[], last: LastProgress): readonly SpokenLine[] => {
	const told = lines.map(line => ({...line, progress: progressIn(line.text)}));
	const left =
		last === 'reported here' ? -1 : told.findLastIndex(({progress}) => progress !== undefined);
	return told.flatMap(({at, text, progress}, index) =>
		index === left ? [] : [{at, text: progress ?? text}],
	);
};

const progressIn = (line: string): string | undefined => {
	if (!line.includes(progress.marker)) {
		return undefined;
	}

	const parser = createParserOf<Signal>([progress]);
	const [said] = [...parser.push(line), ...parser.end()];
	return said?.kind === 'progress' ? `${said.phase}: ${said.status}` : undefined;
};

/** What is only begun may be no signal, or one that is still being said: it stays to be seen. */
const endOfBlock = (lines: readonly string[], start: number): number | undefined => {
	const opener = bracketMarkerOf(lines[start] ?? '');
	return opener?.type === 'open'
		? indexAfter(lines, start, line => {
				const marker = bracketMarkerOf(line);
				return marker?.type === 'close' && marker.name === opener.name;
			})
		: undefined;
};

/** A checkpoint stands between bars, with one more below its title. */
const endOfBanner = (lines: readonly string[], start: number): number | undefined => {
	const isOne = isBar(lines[start]) && /AGENT CHECKPOINT/.test(lines[start + 1] ?? '');
	const second = isOne ? indexAfter(lines, start, isBar) : undefined;
	return second === undefined ? undefined : indexAfter(lines, second, isBar);
};

const isBar = (line: string | undefined): boolean => /^\s*([═━─=_-])\1{7,}\s*$/.test(line ?? '');

const indexAfter = (
	lines: readonly string[],
	start: number,
	fits: (line: string) => boolean,
): number | undefined => {
	const found = lines.findIndex((line, index) => index > start && fits(line));
	return found === -1 ? undefined : found;
};
