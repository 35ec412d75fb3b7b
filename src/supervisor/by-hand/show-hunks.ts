import {isUtf8} from 'node:buffer';
import {sectionAt} from '../../conflicts/hunks.ts';
import {type Segment, wholeLines} from '../../conflicts/marked-text.ts';
import {defined} from '../../lib/values.ts';
import {printShown, type ShownHunk} from '../../rules/by-hand/hunk-lines.ts';
import type {ItemOf} from '../../state/item.ts';
import type {Shown} from '../show/show-side.ts';
import type {Works} from '../world.ts';
import {type HandFile, pickedText, readHandFile} from './hand-file.ts';

/** Returns the hunks of a conflicted file in its current state, as `printShown` prints them. */
export const showHunks = async (works: Works, item: ItemOf<'conflict'>): Promise<Shown> => {
	const file = await readHandFile(works, item);
	if ('whole' in file) {
		const nothing = {steps: [], hunks: []};
		return {text: printShown({...nothing, whole: true, remarks: [file.whole]})};
	}

	const lines = shownLines(file);
	return {
		text: printShown({
			steps: file.steps,
			remarks: remarksOn(file),
			whole: false,
			hunks: shownHunks(file, lines),
		}),
	};
};

type Lines = (text: string) => readonly string[];

/** Returns how to show lines: without line endings if all of the file have the same one. */
const shownLines = (file: HandFile): Lines => {
	const isDos = lineEnds(file) === 'dos';
	return text =>
		wholeLines(text).map(line => {
			const bare = line.replace(isDos ? /\r?\n$/ : /\n$/, '');
			return Buffer.from(bare, 'latin1').toString('utf8');
		});
};

const lineEnds = (file: HandFile): 'unix' | 'dos' | 'mixed' => {
	const lines = textsOf(file).flatMap(wholeLines);
	const dos = lines.filter(line => line.endsWith('\r\n')).length;
	const ended = lines.filter(line => line.endsWith('\n')).length;
	return dos === 0 ? 'unix' : dos === ended ? 'dos' : 'mixed';
};

const textsOf = ({segments}: HandFile): readonly string[] =>
	(segments ?? []).flatMap(segment =>
		segment.kind === 'same'
			? [segment.text]
			: [segment.hunk.left, segment.hunk.base, segment.hunk.right],
	);

const remarksOn = (file: HandFile): readonly string[] => {
	const ends = lineEnds(file);
	const isText = textsOf(file).every(text => isUtf8(Buffer.from(text, 'latin1')));
	return [
		...(file.segments === null
			? ['The file was removed in its folder, so "done" deletes it.']
			: []),
		...(file.standing.content === undefined || file.segments === null
			? []
			: [
					'The file was edited as a whole; hunks that were settled before are part of its text now.',
				]),
		...(ends === 'dos' ? ['Its lines end with CR LF, and that is kept.'] : []),
		...(ends === 'mixed' ? ['Its lines end in two ways, with CR LF (␍) and with LF.'] : []),
		...(isText
			? []
			: ['Not all of it is UTF-8: other bytes are shown as �, and kept as they are.']),
	];
};

/** Number of settled lines shown around a hunk. */
const contextLines = 3;

const shownHunks = (file: HandFile, lines: Lines): readonly ShownHunk[] => {
	const segments = file.segments ?? [];
	const shown: ShownHunk[] = [];
	let above: readonly string[] = [];
	for (const [index, segment] of segments.entries()) {
		if (segment.kind === 'same') {
			above = [...above, ...lines(segment.text)];
			continue;
		}

		const {left, base, right} = segment.hunk;
		const pick = file.standing.picks.get(shown.length);
		const own = lines(left);
		const section = sectionAt([...above, ...own], above.length + 1, file.path);
		shown.push({
			line: above.length + 1,
			...defined({section}),
			before: sameLines(segments[index - 1], lines).slice(-contextLines),
			left: own,
			base: lines(base),
			right: lines(right),
			after: sameLines(segments[index + 1], lines).slice(0, contextLines),
			open: (['left', 'base', 'right'] as const).filter(side => isOpen(segment.hunk[side])),
		});
		above = [...above, ...(pick === undefined ? own : lines(pickedText(segment.hunk, pick)))];
	}

	return shown;
};

const sameLines = (segment: Segment | undefined, lines: Lines): readonly string[] =>
	segment?.kind === 'same' ? lines(segment.text) : [];

const isOpen = (text: string): boolean => text !== '' && !text.endsWith('\n');
