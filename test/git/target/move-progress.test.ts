import {describe, expect, test} from 'vitest';
import {
	type Content,
	judgeFiles,
	judgeIndex,
} from '../../../src/git/target/interrupted/find-move-progress.ts';
import {type Change, newOf, oldOf} from '../../../src/git/tree/changes.ts';
import {type Entry, submoduleMode} from '../../../src/git/tree/entry.ts';

const before: Entry = {mode: '100644', oid: 'before'};
const after: Entry = {mode: '100644', oid: 'after'};
const executable: Entry = {...before, mode: '100755'};

const added: Change = {status: 'A', path: 'added', new: after};
const deleted: Change = {status: 'D', path: 'deleted', old: before};
const modified: Change = {status: 'M', path: 'modified', old: before, new: after};
const all = [added, deleted, modified];

/** An index that holds these entries; `skipped` are left out of the checkout. */
const indexOf = (entries: Readonly<Record<string, Entry>>, skipped: readonly string[] = []) =>
	new Map(
		Object.entries(entries).map(([path, entry]) => [
			path,
			{...entry, isSkipped: skipped.includes(path)},
		]),
	);

const oldEntries = {deleted: before, modified: before};
const newEntries = {added: after, modified: after};

describe('by its index, a checkout', () => {
	test('that holds none of the move has to be looked at, file by file', () => {
		expect(judgeIndex(all, indexOf(oldEntries))).toEqual({kind: 'old-index', changes: all});
		expect(judgeIndex([], indexOf({}))).toEqual({kind: 'old-index', changes: []});
	});

	test('that holds all of the move has arrived', () => {
		expect(judgeIndex(all, indexOf(newEntries))).toEqual({kind: 'after'});
	});

	test('that holds a part of the move was changed by somebody else', () => {
		expect(judgeIndex(all, indexOf({...oldEntries, added: after}))).toEqual({
			kind: 'foreign',
			paths: ['added'],
		});
		expect(judgeIndex(all, indexOf({modified: after}))).toEqual({
			kind: 'foreign',
			paths: ['deleted', 'modified'],
		});
	});

	test.each([
		['other content', {...before, oid: 'other'}],
		['another mode', executable],
	])('that holds %s was changed by somebody else', (_, entry) => {
		const index = indexOf({...oldEntries, modified: entry});
		expect(judgeIndex(all, index)).toEqual({kind: 'foreign', paths: ['modified']});
	});

	test('that lacks a file of before was changed by somebody else', () => {
		const index = indexOf({deleted: before});
		expect(judgeIndex(all, index)).toEqual({kind: 'foreign', paths: ['modified']});
	});

	test('is not asked for files that it leaves out', () => {
		const index = indexOf(oldEntries, ['deleted']);
		expect(judgeIndex(all, index)).toEqual({kind: 'old-index', changes: [added, modified]});
	});

	test.each<[string, Change]>([
		['comes', {status: 'A', path: 'module', new: {mode: submoduleMode, oid: 'x'}}],
		['goes', {status: 'D', path: 'module', old: {mode: submoduleMode, oid: 'x'}}],
		[
			'turns into a file',
			{status: 'T', path: 'module', old: {mode: submoduleMode, oid: 'x'}, new: after},
		],
	])('is judged by a submodule that %s, but not by what lies there', (_, change) => {
		const entryOf = (entry: Entry | undefined) => (entry === undefined ? {} : {module: entry});
		const old = indexOf({...oldEntries, ...entryOf(oldOf(change))});
		const fresh = indexOf({...newEntries, ...entryOf(newOf(change))});
		expect(judgeIndex([...all, change], fresh)).toEqual({kind: 'after'});
		expect(judgeIndex([change], fresh)).toEqual({kind: 'after'});
		expect(judgeIndex([...all, change], old)).toEqual({kind: 'old-index', changes: all});
	});
});

describe('by its files, a checkout whose index is the old one', () => {
	const judge = (...contents: readonly [Change, Content][]) =>
		judgeFiles(contents.map(([change, content]) => ({change, content})));

	test('is as before when each file is', () => {
		expect(judge([added, 'absent'], [deleted, 'old'], [modified, 'old'])).toEqual({
			kind: 'before',
		});
		expect(judge()).toEqual({kind: 'before'});
	});

	test('keeps what was so before the move began', () => {
		expect(judge([added, 'untouched'], [deleted, 'untouched'], [modified, 'untouched'])).toEqual({
			kind: 'before',
		});
	});

	test.each<Content>(['new', 'half'])('gets rid of a file that the move brought: %s', content => {
		expect(judge([added, content], [modified, 'old'])).toEqual({
			kind: 'half',
			restore: [],
			remove: ['added'],
		});
	});

	test.each<Content>(['absent', 'new', 'half'])('gets back a file of before: %s', content => {
		expect(judge([modified, content], [deleted, 'old'], [added, 'absent'])).toEqual({
			kind: 'half',
			restore: ['modified'],
			remove: [],
		});
	});

	test('gets back what the move deleted', () => {
		expect(judge([deleted, 'absent'], [added, 'half'])).toEqual({
			kind: 'half',
			restore: ['deleted'],
			remove: ['added'],
		});
	});

	test('is not touched where one file is somebody else’s', () => {
		expect(judge([added, 'new'], [deleted, 'foreign'], [modified, 'half'])).toEqual({
			kind: 'foreign',
			paths: ['deleted'],
		});
	});
});
