import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import type {Event} from '../../src/events/event.ts';
import {readJournal} from '../../src/journal/read.ts';
import {withoutBase, withoutPublished} from '../helpers/busy-checkout.ts';
import {expectNobodyLeft} from '../helpers/nobody-left.ts';
import type {Project} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import type {WholeEnd} from './whole-session.ts';

/** What the person had before a session, and what it may change of it. */
export type Before = {
	readonly mine: ReturnType<typeof withoutBase>;
	readonly index: string;
};

export const lookBefore = (root: string): Before => ({
	mine: withoutBase(root),
	index: indexOf(root),
});

/** What a merge is to bring: the only line of each file, by path. */
export type Merged = Readonly<Record<string, string>>;

export type Promised = {
	readonly project: Project;
	readonly before: Before;
	readonly end: WholeEnd;
	/** Texts that agents wrote into files, all of which must still be somewhere. */
	readonly written: readonly string[];
	readonly merged: Merged;
	/** The commit on which the merge must stand. */
	readonly onto: string;
};

/** Expects that nothing was lost over a session that came to its end with a merge. */
export const expectPromisesKept = async (promised: Promised): Promise<void> => {
	const {project, end} = promised;
	await expectNobodyLeft(project, end.id);
	await expectEventsKept(end);
	expectWorkKept(promised);
	expectOneApprovedMerge(promised);
	expectMineUntouched(promised);
};

/** J: whatever anybody was told is in the journal, in order, once. */
export const expectEventsKept = async ({
	folder,
	seen,
	acknowledged,
}: Pick<WholeEnd, 'folder' | 'seen' | 'acknowledged'>): Promise<void> => {
	const {entries, end} = await readJournal(folder.journal);
	expect(end.kind).toBe('whole');
	expect(entries.map(({seq}) => seq)).toEqual(entries.map((_, index) => index + 1));
	expect(entries.slice(0, seen.length)).toEqual(seen);
	expect(acknowledged.map(({seq}) => entries[seq - 1])).toEqual(acknowledged);
};

/** A: every text is a blob of a pinned commit or of the target, or lies in a patch that was put aside. */
export const expectWorkKept = ({project, end, written}: Promised): void => {
	const store = join(dirname(end.folder.path), 'store.git');
	const pinned = execFileSync('git', ['rev-list', '--objects', '--all'], {
		cwd: store,
		encoding: 'utf8',
	});
	const merged = git(project.root, 'ls-tree', '-r', 'main');
	const patches = readdirSync(end.folder.path, {recursive: true, encoding: 'utf8'})
		.filter(name => name.endsWith('.patch'))
		.map(name => readFileSync(join(end.folder.path, name), 'utf8'))
		.join('\n');
	const lost = written.filter(
		text => !`${pinned}\n${merged}`.includes(blobOf(text)) && !patches.includes(`+${text}`),
	);
	expect(lost).toEqual([]);
};

const blobOf = (text: string): string =>
	createHash('sha1')
		.update(`blob ${Buffer.byteLength(text)}\0${text}`)
		.digest('hex');

/** H: one publication, of the commit that was approved as it was built and checked last. */
export const expectOneApprovedMerge = ({
	project,
	end,
	merged,
	onto,
}: Pick<Promised, 'project' | 'end' | 'merged' | 'onto'>): void => {
	const {root} = project;
	const {seen} = end;
	const published = seen.filter(isOf('merge.published'));
	expect(published).toHaveLength(1);
	const commit = published[0]?.commit ?? '';
	const intended = seen.findLast(isOf('merge.intended'));
	expect(intended?.commit).toBe(commit);
	const approved = seen.findLastIndex(
		event => event.kind === 'user.decided' && event.choice === 'approve',
	);
	const earlier = seen.slice(0, approved);
	expect(earlier.findLast(isOf('merge.built'))?.commit).toBe(commit);
	expect(earlier.findLast(isOf('verify.ended'))).toMatchObject({commit, ok: true});
	expect(git(root, 'rev-parse', 'main')).toBe(commit);
	expect(git(root, 'rev-parse', 'main^')).toBe(onto);
	const changed = git(root, 'diff', '--name-only', onto, commit).split('\n');
	expect(changed).toEqual(Object.keys(merged).toSorted());
	for (const [path, content] of Object.entries(merged)) {
		expect(git(root, 'show', `main:${path}`)).toBe(content);
	}
};

const isOf =
	<Kind extends Event['kind']>(kind: Kind) =>
	(event: Event): event is Extract<Event, {kind: Kind}> =>
		event.kind === kind;

/** U: files, index, stash, refs and configuration are as before, but for what the merge brought. */
export const expectMineUntouched = ({
	project,
	before,
	merged,
}: Pick<Promised, 'project' | 'before' | 'merged'>): void => {
	const {root} = project;
	const paths = Object.keys(merged);
	const after = withoutBase(root);
	const others = (files: Readonly<Record<string, string>>) =>
		Object.entries(files).filter(([path]) => !paths.includes(path));
	expect(others(after.files)).toEqual(others(before.mine.files));
	for (const [path, content] of Object.entries(merged)) {
		expect(readFileSync(join(root, path), 'utf8')).toBe(`${content}\n`);
	}

	const otherRefs = (refs: readonly string[]) =>
		refs.filter(line => !line.startsWith('refs/heads/main '));
	expect(otherRefs(after.refs)).toEqual(otherRefs(before.mine.refs));
	expect([after.head, after.stash]).toEqual([before.mine.head, before.mine.stash]);
	expect(withoutPublished(after.gitFiles)).toEqual(withoutPublished(before.mine.gitFiles));
	const otherEntries = (index: string) =>
		index.split('\n').filter(line => !paths.includes(line.split('\t')[1] ?? ''));
	expect(otherEntries(indexOf(root))).toEqual(otherEntries(before.index));
};

const indexOf = (root: string): string => git(root, 'ls-files', '--stage', '-t');
