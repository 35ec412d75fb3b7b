import {type DiffParts, firstIndex, type PlacedLine} from '../rows/diff-rows.ts';
import {type Draft, draftOf} from './draft.ts';
import type {Range, View} from './view.ts';

/** A diff on the screen: its lines, and where among the rows of a body it begins. */
type DiffHere = Pick<DiffParts, 'lines'> & {readonly resource: string; readonly from: number};

/** Returns the lines that they have chosen, all of one file; none where they go along none, or the diff is another one by now. */
export const chosenLines = (
	{dialog}: Pick<View, 'dialog'>,
	diff: DiffHere | undefined,
): readonly PlacedLine[] => {
	if (
		(dialog.kind !== 'lines' && dialog.kind !== 'comment') ||
		diff?.resource !== dialog.resource
	) {
		return [];
	}

	const {at, from = at} = dialog;
	const path = diff.lines[at]?.path;
	return diff.lines
		.slice(Math.min(at, from), Math.max(at, from) + 1)
		.filter(line => line.path === path);
};

/** Returns the first changed line that is not above what is in sight, by its place among all lines of the diff; else the last line there is. */
export const lineInSight = ({
	diff,
	offset,
}: {
	readonly diff?: DiffHere | undefined;
	readonly offset: number;
}): number | undefined => {
	if (diff === undefined || diff.lines.length === 0) {
		return undefined;
	}

	const {lines, from} = diff;
	const first = firstIndex(lines, ({rows}) => rows[0] >= offset - from);
	const changed = lines.findIndex(({line}, index) => index >= first && line.kind !== 'same');
	return changed === -1 ? lines.length - 1 : changed;
};

/** Returns the line of the file as it is now that stands where a line of the diff does, or did. */
export const numberNow = (lines: readonly PlacedLine[], at: number): number => {
	const path = lines[at]?.path;
	const isThere = (one: PlacedLine) => one.line.kind !== 'removed' && one.path === path;
	return (lines.slice(at).find(isThere) ?? lines.slice(0, at).findLast(isThere))?.number ?? 1;
};

/** Returns how lines are named to the agent: by the file as it left it, or as it was before where they are gone. */
export const namedLines = (lines: readonly PlacedLine[]): string => {
	const left = lines.filter(({line}) => line.kind !== 'removed');
	const [first, ...others] = left.length > 0 ? left : lines;
	if (first === undefined) {
		return '';
	}

	const last = others.at(-1);
	const range = last === undefined ? `${first.number}` : `${first.number}–${last.number}`;
	return `${first.path}:${range}${left.length > 0 ? '' : beforeIt}`;
};

const beforeIt = ' (before the change)';

/** The line that a comment in a draft begins with. */
const comment = /^(.+):(\d+)(?:–(\d+))?( \(before the change\))?: /;

type Commented = {readonly path: string; readonly range: Range; readonly isGone: boolean};

/** Returns which lines a draft comments on. What a person writes to an agent is the one place where their comments are. */
export const commentsIn = (draft: Draft | undefined): readonly Commented[] =>
	(draft?.text ?? '').split('\n').flatMap(line => {
		const [, path = '', from, to = from, gone] = comment.exec(line) ?? [];
		return from === undefined
			? []
			: [{path, range: [Number(from), Number(to)] as const, isGone: gone !== undefined}];
	});

/** Returns a draft with one more comment in it. */
export const withComment = (
	draft: Draft | undefined,
	lines: readonly PlacedLine[],
	words: string,
): Draft => {
	const place = lines.length === 0 ? '' : `${namedLines(lines)}: `;
	return draftOf([...textsIn(draft), `${place}${words.trim()}`].join('\n'));
};

const textsIn = (draft: Draft | undefined): readonly string[] =>
	draft === undefined || draft.text.trim() === '' ? [] : [draft.text.trimEnd()];

/** Returns the name of the draft of what a person writes to the agent whose diff is on the screen: with the decision about an item, or as a message. */
export const letterOf = ({place}: Pick<View, 'place'>): string =>
	place.at === 'item' ? place.item : place.at === 'agent' ? place.agent : '';

/** Returns whether a line of a diff was commented on. */
export const isCommented = (placed: PlacedLine, comments: readonly Commented[]): boolean =>
	comments.some(
		({path, range: [from, to], isGone}) =>
			path === placed.path &&
			isGone === (placed.line.kind === 'removed') &&
			from <= placed.number &&
			placed.number <= to,
	);
