import {submoduleMode, symlinkMode} from '../../git/tree/entry.ts';
import type {ItemOf} from '../../state/item.ts';
import type {FileConflictItem} from '../../state/items/conflict/breakage.ts';
import {fileFolderClashIn} from '../../state/items/conflict/paths.ts';

/** Returns why a conflict has no lines to settle, though its content might be text; nothing when it may have some. */
export const whyWhole = ({
	a,
	b,
	stages,
}: Pick<FileConflictItem, 'a' | 'b' | 'stages'>): string | undefined => {
	if (stages.a === null || stages.b === null) {
		return whyOneSide(a.join('+'), b.join('+'), stages);
	}

	const modes = [stages.a.mode, stages.b.mode];
	if (modes.includes(submoduleMode)) {
		return 'It is a submodule: each side names a commit of another repository.';
	}

	if (modes.includes(symlinkMode)) {
		return 'It is a symbolic link on one side at least.';
	}

	return stages.a.oid === stages.b.oid
		? 'Both sides hold the same content, and differ only in what kind of file it is.'
		: undefined;
};

const whyOneSide = (a: string, b: string, stages: FileConflictItem['stages']): string => {
	const [gone, kept] = stages.a === null ? [a, b] : [b, a];
	if (stages.base === null || (stages.a === null && stages.b === null)) {
		return 'It was moved here by one side, or away from here.';
	}

	return `${gone} deleted it, and ${kept} changed it.`;
};

/** Returns what is to be done with a file that stands where the other side has a folder; nothing for any other conflict. */
export const whyNoName = (item: ItemOf<'conflict'>): string | undefined => {
	const clash = fileFolderClashIn(item);
	return (
		clash &&
		`${item[clash.file].join('+')} has a file at ${clash.path}, where ${item[clash.other].join('+')} has a folder or a link. Give one of them another name in its folder "files", or take a side.`
	);
};
