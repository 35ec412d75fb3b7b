import {basename} from 'node:path';
import {
	type Detector,
	type Evidence,
	type FileConflictKind,
	type FindingOf,
	keyOf,
} from '../../finding.ts';
import {readTexts, type Texts} from '../../hunks.ts';
import {overlapOf} from '../../input.ts';
import {changedAndRemoved, meetingLines, wholeEntry} from './evidence.ts';
import {type FileConflict, fileConflicts, type Placed} from './file-conflict.ts';

/** F1: every path that git can't merge, and no other. */
export const gitConflicts: Detector<'FILE_CONFLICT'> = async comparison => {
	const conflicts = fileConflicts(comparison);
	const entries = conflicts.flatMap(({base, a, b}) => [base?.entry, a?.entry, b?.entry]);
	const texts = await readTexts(comparison.store, entries);
	return conflicts.map(conflict => findingOf(conflict, texts));
};

const findingOf = (conflict: FileConflict, texts: Texts): FindingOf<'FILE_CONFLICT'> => {
	const {path, kind} = conflict;
	const evidence = ofBothSides(conflict, evidenceOf(conflict, texts));
	return {
		type: 'FILE_CONFLICT',
		rule: 'F1',
		kind,
		path,
		key: keyOf('F1', path, kind),
		blocking: true,
		confidence: 'high',
		summary: `${words(conflict)}${inSections(evidence)}.`,
		evidence,
	};
};

const evidenceOf = (conflict: FileConflict, texts: Texts): readonly Evidence[] => {
	switch (conflict.kind) {
		case 'modify/delete':
		case 'rename/delete':
			return changedAndRemoved(conflict, texts);
		case 'content':
		case 'add/add':
			return meetingLines(conflict, texts);
		case 'mode':
			return sides(conflict, (side, {path, entry}) => ({side, path, text: `mode ${entry.mode}`}));
		default:
			return sides(conflict, (side, placed) => wholeEntry(side, placed, texts));
	}
};

const sides = (
	{a, b}: FileConflict,
	of: (side: 'a' | 'b', placed: Placed) => Evidence,
): readonly Evidence[] => [...(a ? [of('a', a)] : []), ...(b ? [of('b', b)] : [])];

/** A side of which nothing can be shown is named by its path, and said to be gone where it took the file out. */
const ofBothSides = (
	conflict: FileConflict,
	evidence: readonly Evidence[],
): readonly Evidence[] => {
	const named = (side: 'a' | 'b'): readonly Evidence[] => {
		const placed = conflict[side];
		if (evidence.some(one => one.side === side)) {
			return [];
		}

		return placed === undefined
			? [{side, path: conflict.base?.path ?? conflict.path, removed: true}]
			: [{side, path: placed.path}];
	};
	return [...named('a'), ...evidence, ...named('b')];
};

const words = ({path, kind, base, a, b}: FileConflict): string => {
	const [old, one, other] = [base?.path ?? path, a?.path ?? path, b?.path ?? path];
	const sentences: Readonly<Record<FileConflictKind, string>> = {
		content: `Both sides changed ${path}`,
		'add/add': `Both sides added ${path}`,
		'modify/delete': `One side changed ${old}, the other removed it`,
		'rename/rename':
			one === other
				? `Both sides gave ${path} to different files`
				: `One side moved ${old} to ${one}, the other to ${other}`,
		'rename/delete': `One side moved ${old} to ${a ? one : other}, the other removed it`,
		'directory rename': `One side moved the folder in which the other added ${path}`,
		'file/directory': `One side has a file where the other has a folder: ${path}`,
		mode: `The sides gave ${path} different modes`,
		symlink: `The sides made of ${path} different links, or a link and a file`,
		submodule: `The sides set the submodule ${path} to different commits`,
		binary: `Both sides changed ${path}, which is binary`,
		overlap: `Both sides changed ${path}`,
		syntax: `Merged, ${path} can no longer be read`,
		generated: `Both sides changed ${path}, which a tool writes`,
	};
	return sentences[kind];
};

const inSections = (evidence: readonly Evidence[]): string => {
	const sections = [...new Set(evidence.flatMap(({section}) => section ?? []))];
	const shown = sections.slice(0, 3).join('; ');
	return sections.length === 0 ? '' : `, in ${shown}${sections.length > 3 ? ' and others' : ''}`;
};

/** F4, a note: files that a tool writes, and the command that writes them again. */
export const generated: Detector<'FILE_CONFLICT'> = async ({a, b}) =>
	overlapOf(a, b).flatMap(path => {
		const command = lockCommands.get(basename(path));
		return command === undefined
			? []
			: [
					{
						type: 'FILE_CONFLICT',
						rule: 'F4',
						kind: 'generated',
						path,
						key: keyOf('F4', path),
						blocking: false,
						confidence: 'high',
						summary: `Both sides changed ${path}; take either, then let ${command} write it again.`,
						evidence: [
							{side: 'a', path},
							{side: 'b', path},
						],
					},
				];
	});

/** The commands that write lock files again, by the names of the files. */
export const lockCommands: ReadonlyMap<string, string> = new Map([
	['package-lock.json', 'npm install'],
	['npm-shrinkwrap.json', 'npm install'],
	['yarn.lock', 'yarn install'],
	['pnpm-lock.yaml', 'pnpm install'],
	['bun.lock', 'bun install'],
	['Cargo.lock', 'cargo generate-lockfile'],
	['go.sum', 'go mod tidy'],
	['poetry.lock', 'poetry lock'],
	['uv.lock', 'uv lock'],
	['Pipfile.lock', 'pipenv lock'],
	['Gemfile.lock', 'bundle install'],
	['composer.lock', 'composer update --lock'],
]);
