import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {withWorktree} from '../../../git/worktree/open-worktree.ts';
import {enumerated} from '../../../lib/text/enumerated.ts';
import type {Workspace} from '../../../state/agent/agent.ts';

/** Returns the files that hold conflict markers for an agent to resolve, with the lines of each conflict. */
export const markedConflicts = async (
	directory: string,
	workspace: Workspace,
): Promise<readonly string[]> => {
	const conflicts = workspace.phase === 'ready' ? workspace.conflicts : [];
	return conflicts.length === 0
		? []
		: withWorktree(directory, root =>
				Promise.all(conflicts.map(async path => `${path}${await linesIn(join(root, path))}`)),
			);
};

/** What can't be read, or holds no text to mark, is named without lines. */
const linesIn = async (path: string): Promise<string> => {
	const text = await readFile(path, 'latin1').catch(() => '');
	const ranges = markedLines(text);
	return ranges.length === 0 ? '' : ` (lines ${enumerated(ranges)})`;
};

/** Returns the lines of each conflict in a text, from its first mark to its last. */
const markedLines = (text: string): readonly string[] => {
	const lines = text.split('\n');
	return lines.flatMap((line, position) => {
		const end = line.startsWith('<<<<<<<')
			? lines.findIndex((other, at) => at > position && other.startsWith('>>>>>>>'))
			: -1;
		return end === -1 ? [] : [`${position + 1}–${end + 1}`];
	});
};
