import type {Evidence} from '../../../events/finding.ts';
import type {Breakage, Collision, FileCollision} from '../../../events/kinds/merge-event.ts';
import type {ItemOf} from '../../item.ts';
import {evidenceText} from '../../merge/attribution-text.ts';

/** A conflict that git does not have: what it merged breaks. */
export type BreakageItem = Extract<ItemOf<'conflict'>, Breakage>;

/** A conflict that git has. */
export type FileConflictItem = Extract<ItemOf<'conflict'>, FileCollision>;

/** Returns whether a conflict is one that git merges, and that breaks all the same. */
export const isBreakage = (item: ItemOf<'conflict'>): item is BreakageItem => !('stages' in item);

/** Returns the files at which a side of it shows: what that side gives up when the other one is taken. */
export const pathsOf = ({evidence}: BreakageItem, side: 'a' | 'b'): readonly string[] => [
	...new Set(evidence.filter(one => one.side === side).map(({path}) => path)),
];

/** Returns all files at which it shows, deleted ones included: those that can be mended by hand. A checker's error may stand in a file of which no line is evidence. */
export const allPathsOf = ({
	path,
	evidence,
}: Pick<Breakage, 'path' | 'evidence'>): readonly string[] => [
	...new Set([path, ...evidence.map(one => one.path)]),
];

/** Returns what an agent of it is told: what breaks, its own lines, and the other side's. */
export const breakageText = (item: BreakageItem, agent: string): string => {
	const {summary, confirmed, evidence} = item;
	const [own, other] = item.a.includes(agent) ? (['a', 'b'] as const) : (['b', 'a'] as const);
	return [
		summary,
		`You: ${evidenceText(evidence, own)}.`,
		`${item[other].join(' and ')}: ${evidenceText(evidence, other)}.`,
		...(confirmed === undefined ? [] : [`${confirmed.by} says: ${confirmed.text}`]),
	].join(' ');
};

/** A conflict of git's with what is known of each side. */
type Seen = {readonly path: string; readonly evidence: readonly Evidence[]};

/** Returns what a side that loses gives up, besides the path of the conflict: what breaks the other one, or its file where that has another name than git tells. */
export const givenUp = (
	item: ItemOf<'conflict'>,
	side: 'a' | 'b',
): {readonly gives?: readonly string[]} => {
	if (isBreakage(item)) {
		return {gives: pathsOf(item, side)};
	}

	const clash = fileFolderClashIn(item);
	const elsewhere = [
		...new Set([...(clash === undefined ? [] : [clash.path]), ...pathsElsewhere(item, side)]),
	];
	return elsewhere.length === 0 ? {} : {gives: [item.path, ...elsewhere]};
};

/** Returns where a side has its part of a conflict, as far as that is not where git tells of it: a move leads elsewhere, and so does a folder in the place of a file. */
export const pathsElsewhere = ({path, evidence}: Seen, side: 'a' | 'b'): readonly string[] => [
	...new Set(evidence.filter(one => one.side === side && one.path !== path).map(one => one.path)),
];

/** Where one side has a file, and the other one a folder or a link. */
export type FileFolderClash = {
	readonly path: string;
	readonly file: 'a' | 'b';
	readonly other: 'a' | 'b';
};

/** Returns where two such meet; nothing where git didn't make up a name for the file that stands in the way, which neither side has. */
export const fileFolderClashIn = (conflict: Collision): FileFolderClash | undefined => {
	if (!('stages' in conflict)) {
		return undefined;
	}

	const {path, stages, evidence} = conflict;
	const isMadeUp = path.includes('~') && evidence.every(one => one.path !== path);
	const [file, other] = stages.a === null ? (['b', 'a'] as const) : (['a', 'b'] as const);
	const own = evidence.find(one => one.side === file && path.startsWith(`${one.path}~`));
	return isMadeUp && own !== undefined ? {path: own.path, file, other} : undefined;
};

/** Returns whether a conflict is one that can be settled hunk by hunk. */
export const hasHunks = (item: ItemOf<'conflict'>): boolean =>
	!isBreakage(item) && fileFolderClashIn(item) === undefined;

/** Returns the path at which a person looks for a conflict; a name that git made up is nowhere. */
export const pathToShow = (conflict: Collision): string =>
	fileFolderClashIn(conflict)?.path ?? conflict.path;
