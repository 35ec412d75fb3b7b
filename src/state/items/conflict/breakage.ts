import type {Breakage, FileCollision} from '../../../events/kinds/merge-event.ts';
import {evidenceText} from '../../evidence-text.ts';
import type {ItemOf} from '../../item.ts';

/** A conflict that git does not have: what it merged breaks. */
export type BreakageItem = Extract<ItemOf<'conflict'>, Breakage>;

/** A conflict that git has. */
export type FileConflictItem = Extract<ItemOf<'conflict'>, FileCollision>;

/** Returns whether a conflict is one that git merges, and that breaks all the same. */
export const isBreakage = (item: ItemOf<'conflict'>): item is BreakageItem => !('stages' in item);

/** Returns who breaks whom; of whose work only a part was taken, that breaks by itself. */
export const whoBreaks = ({a, b}: Pick<Breakage, 'a' | 'b'>): string =>
	a.join() === b.join()
		? `What is taken of ${a.join('+')} breaks`
		: `${a.join('+')} and ${b.join('+')} break each other`;

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
