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

/** F1: exactly the paths that git can't merge. */
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

/** Adds a side without lines to show by its path, marked as removed if it deleted the file. */
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
				? `Both sides renamed different files to ${path}`
				: `One side renamed ${old} to ${one}, the other to ${other}`,
		'rename/delete': `One side renamed ${old} to ${a ? one : other}, the other removed it`,
		'directory rename': `One side renamed the folder in which the other added ${path}`,
		'file/directory': `One side has a file where the other has a folder: ${path}`,
		mode: `The sides gave ${path} different modes`,
		symlink: `The sides turned ${path} into different links, or a link and a file`,
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

/** F4, a note: generated files, and the command that regenerates them. */
export const generated: Detector<'FILE_CONFLICT'> = async ({a, b}) =>
	overlapOf(a, b).flatMap(path => {
		const command = lockTools.get(basename(path))?.write;
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

type LockTool = {
	/** Command that regenerates the file. */
	readonly write: string;
	/** Command that fails if the file doesn't match its manifest, like a frozen install, without changing files of the project. */
	readonly frozen?: string;
};

const npm: LockTool = {
	write: 'npm install',
	frozen: 'npm ci --dry-run --ignore-scripts --no-audit --no-fund',
};

/** Tools of lock files, by file name. */
export const lockTools: ReadonlyMap<string, LockTool> = new Map([
	['package-lock.json', npm],
	['npm-shrinkwrap.json', npm],
	['yarn.lock', {write: 'yarn install', frozen: 'yarn install --frozen-lockfile'}],
	[
		'pnpm-lock.yaml',
		{
			write: 'pnpm install',
			// With `--lockfile-only` pnpm up to 11 accepts a lock file that lacks a package.
			frozen: 'pnpm install --frozen-lockfile --ignore-scripts --prefer-offline',
		},
	],
	['bun.lock', {write: 'bun install', frozen: 'bun install --frozen-lockfile --ignore-scripts'}],
	[
		'Cargo.lock',
		{
			write: 'cargo generate-lockfile',
			frozen: 'cargo metadata --locked --format-version 1 > /dev/null',
		},
	],
	['go.sum', {write: 'go mod tidy'}],
	['poetry.lock', {write: 'poetry lock', frozen: 'poetry check --lock'}],
	['uv.lock', {write: 'uv lock', frozen: 'uv lock --locked'}],
	['Pipfile.lock', {write: 'pipenv lock', frozen: 'pipenv verify'}],
	['Gemfile.lock', {write: 'bundle install'}],
	['composer.lock', {write: 'composer update --lock'}],
]);
