import {submoduleMode, symlinkMode} from '../../git/tree/entry.ts';
import type {FileConflictItem} from '../../state/items/breakage.ts';

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
