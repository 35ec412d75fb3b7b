import type {Breakage, FileCollision} from '../../../events/kinds/merge-event.ts';
import {defined} from '../../../lib/defined.ts';
import {withoutStop} from '../../../lib/without-stop.ts';
import type {ItemOf} from '../../item.ts';
import type {State} from '../../state.ts';
import {type ArbiterDetail, arbiterDetail, arbiterOf, hasProposal} from './arbiter.ts';
import {type BreakageItem, type FileConflictItem, isBreakage, whoBreaks} from './breakage.ts';
import {fileFolderClashIn, pathToShow} from './paths.ts';

/** What collides, in the shape of `conflicts --json`, and the folder in which it is being resolved. */
export type ConflictDetail = (FileConflictDetail | BreakageDetail) & {
	readonly folder?: string;
	readonly arbiter?: ArbiterDetail;
};

type FileConflictDetail = Omit<FileCollision, 'stages'> & {
	readonly rule: 'F1';
	readonly blocking: true;
	readonly confidence: 'high';
};

type BreakageDetail = Omit<Breakage, 'files' | 'key'>;

/** Returns what collides in one line, and what is done about it. */
export const conflictTitle = (state: State, item: ItemOf<'conflict'>): string => {
	const {a, b, trouble} = item;
	const [one, other] = [a.join('+'), b.join('+')];
	const arbiter = arbiterOf(state, item);
	return [
		isBreakage(item)
			? `${whoBreaks(item)}: ${withoutStop(item.summary)}`
			: `${one} and ${other} collide in ${pathToShow(item)}: ${whatEachDid(item)}`,
		...(trouble === undefined ? [] : [`(its folder could not be made: ${trouble})`]),
		...(arbiter && hasProposal(arbiter) ? [`(${arbiter.id} proposes how to settle it)`] : []),
		...(arbiter?.unheard === undefined ? [] : [`(it was not sent back: ${arbiter.unheard})`]),
	].join(' ');
};

/** Returns all that readers are shown of it besides. */
export const conflictDetail = (state: State, item: ItemOf<'conflict'>): ConflictDetail => {
	const arbiter = arbiterOf(state, item);
	return {
		...(isBreakage(item) ? breakageDetail(item) : collisionDetail(item)),
		...(item.manual.phase === 'open' ? {folder: item.manual.folder} : {}),
		...defined({arbiter: arbiter && arbiterDetail(arbiter)}),
	};
};

/** What readers are shown of what git can't merge: it blocks by git's own word. */
const collisionDetail = ({
	type,
	path,
	a,
	b,
	summary,
	evidence,
}: FileCollision): FileConflictDetail => ({
	type,
	rule: 'F1',
	path,
	blocking: true,
	confidence: 'high',
	summary,
	...{a, b, evidence},
});

const breakageDetail = ({a, b, type, rule, path, ...finding}: BreakageItem): BreakageDetail => {
	const {blocking, confidence, summary, evidence, confirmed} = finding;
	return defined({type, rule, path, blocking, confidence, summary, a, b, evidence, confirmed});
};

/** What each side did to the path. Git's own sentence says less, and the path once more. */
const whatEachDid = (item: FileConflictItem): string => {
	const {a, b, stages} = item;
	const clash = fileFolderClashIn(item);
	if (clash !== undefined) {
		return `${item[clash.file].join('+')} has a file there, ${item[clash.other].join('+')} a folder or a link`;
	}

	if (stages.a !== null && stages.b !== null) {
		return stages.base === null ? 'both added it' : 'both changed it';
	}

	if (stages.base === null || (stages.a === null && stages.b === null)) {
		return 'one of them moved it';
	}

	const [gone, kept] = stages.a === null ? [a, b] : [b, a];
	return `${gone.join('+')} deleted it, ${kept.join('+')} changed it`;
};
