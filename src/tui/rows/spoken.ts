import {bracketMarkerOf} from '../../signals/markers.ts';

/** Of very long words only the last ones are looked at, in lines. */
const looked = 300;

/** Returns the last lines of an agent's own words: a whole signal among them is told by what comes of it, and left out. */
export const spoken = (lines: readonly string[]): readonly string[] => {
	const last = lines.slice(-looked);
	const own: string[] = [];
	for (let at = 0; at < last.length; at++) {
		const end = endOfBlock(last, at) ?? endOfBanner(last, at);
		if (end === undefined) {
			own.push(last[at] ?? '');
		}

		at = end ?? at;
	}

	return own.filter((line, at) => line.trim() !== '' || own[at - 1]?.trim() !== '');
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
