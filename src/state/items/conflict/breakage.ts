import type {Evidence} from '../../../events/finding.ts';
import type {Breakage, Collision, FileCollision} from '../../../events/kinds/merge-event.ts';
import type {ItemOf} from '../../item.ts';
import {evidenceText} from '../../merge/attribution-text.ts';

/** A conflict that git merges, but whose result breaks. */
export type BreakageItem = Extract<ItemOf<'conflict'>, Breakage>;

/** A conflict that git can't merge. */
export type FileConflictItem = Extract<ItemOf<'conflict'>, FileCollision>;

/** Returns whether a conflict is one that git merges, but whose result breaks. */
export const isBreakage = (item: ItemOf<'conflict'>): item is BreakageItem => !('stages' in item);

/** Returns the files with one side's evidence: that side gives them up when the other one is taken. */
export const pathsOf = ({evidence}: BreakageItem, side: 'a' | 'b'): readonly string[] => [
	...new Set(evidence.filter(one => one.side === side).map(({path}) => path)),
];

/** Returns all files of a breakage, including deleted ones: they can be fixed by hand. A checker's error may be in a file without evidence. */
export const allPathsOf = ({
	path,
	evidence,
}: Pick<Breakage, 'path' | 'evidence'>): readonly string[] => [
	...new Set([path, ...evidence.map(one => one.path)]),
];

/** Returns the text for an agent of the conflict: the breakage, its own lines, and the other side's. */
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

/** A conflict with evidence of each side. */
type Seen = {readonly path: string; readonly evidence: readonly Evidence[]};

/** Returns the paths that a losing side gives up, besides the conflict's own: those that break the other side, or its file if git reports another name. */
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

/** Returns the paths of one side that differ from git's: after a move, or for a folder in place of a file. */
export const pathsElsewhere = ({path, evidence}: Seen, side: 'a' | 'b'): readonly string[] => [
	...new Set(evidence.filter(one => one.side === side && one.path !== path).map(one => one.path)),
];

/** A path where one side has a file, and the other one a folder or a link. */
export type FileFolderClash = {
	readonly path: string;
	readonly file: 'a' | 'b';
	readonly other: 'a' | 'b';
};

/** Returns the clash of a file with a folder or a link; nothing if the conflict's name is a real one. Git makes up a name for such a file. */
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

/** Returns whether a conflict can be resolved hunk by hunk. */
export const hasHunks = (item: ItemOf<'conflict'>): boolean =>
	!isBreakage(item) && fileFolderClashIn(item) === undefined;

/** Returns the path of a conflict to show; a name that git made up does not exist. */
export const pathToShow = (conflict: Collision): string =>
	fileFolderClashIn(conflict)?.path ?? conflict.path;
