import {relative, resolve, sep} from 'node:path';
import type {Detail} from '../../../agents/acp/speech/activity.ts';
import {defined} from '../../../lib/defined.ts';

/** Where a worktree lies is of no interest to whoever looks at what a tool does. */
export const inTree = (tree: string, detail: Detail): Detail => {
	if (detail.kind !== 'tool') {
		return detail;
	}

	const shown = fromTree(tree);
	const {diffs, command, ...tool} = detail;
	const plain = (text: string): string => text.replaceAll(`${tree}${sep}`, '');
	return {
		...tool,
		title: plain(tool.title),
		...defined({command: command && plain(command)}),
		paths: tool.paths.map(shown),
		...defined({diffs: diffs?.map(({path, ...texts}) => ({path: shown(path), ...texts}))}),
	};
};

/** A path is shown from the worktree on; one that leads out of it stays whole. */
export const fromTree =
	(tree: string) =>
	(path: string): string => {
		const within = relative(tree, resolve(tree, path));
		return within === '..' || within.startsWith(`..${sep}`) ? path : within;
	};
