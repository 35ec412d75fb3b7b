import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import type {Event} from '../../../src/events/event.ts';
import {keepDocuments} from '../../../src/supervisor/documents/documents.ts';
import {asNobody} from '../../helpers/as-nobody.ts';
import {planned} from '../../helpers/given.ts';
import {mergePublished} from '../../helpers/happened.ts';
import {filesBelow, temporaryFolder} from '../../helpers/repository.ts';

const registry = 'docs/logs/delegation_registry.md';
const context = 'docs/logs/session_context.md';
const progress = 'docs/01_progress.md';

/** A session that has something to say in each of its documents. */
const given = planned(['AGT-001']);
given.tell(mergePublished({commit: 'c1', from: 'c0'}));
const events = given.events();

/** A checkout, a folder beside it, and how documents of a session fare there. */
const checkout = () => {
	const folder = temporaryFolder();
	const [root, outside] = [join(folder, 'checkout'), join(folder, 'outside')];
	mkdirSync(join(root, '.git'), {recursive: true});
	mkdirSync(outside);
	return {
		root,
		outside,
		link: (path: string, to: string) => {
			mkdirSync(dirname(join(root, path)), {recursive: true});
			symlinkSync(to, join(root, path));
		},
		/** Tells events and returns each time that somebody was told of troubles. */
		tell: async (told: readonly Event[] = events) => {
			const calls: (readonly string[])[] = [];
			const documents = keepDocuments({root, onTrouble: troubles => calls.push(troubles)});
			documents.add(told);
			await documents.flush();
			documents.add([]);
			await documents.flush();
			return calls;
		},
	};
};

const isLink = (path: string) => lstatSync(path).isSymbolicLink();

test('a document that is a link within the repository stays one, and the file it leads to is written', async () => {
	const {root, link, tell} = checkout();
	mkdirSync(join(root, 'notes'));
	const file = join(root, 'notes/registry.md');
	writeFileSync(file, 'My preface.\n');
	chmodSync(file, 0o640);
	link(registry, '../../notes/registry.md');
	link(context, '../../notes/later.md');

	expect(await tell()).toEqual([]);
	expect(readlinkSync(join(root, registry))).toBe('../../notes/registry.md');
	expect(readFileSync(file, 'utf8')).toMatch(/^My preface\.\n.*# Delegation Registry/s);
	expect(lstatSync(file).mode & 0o777).toBe(0o640);
	expect(isLink(join(root, context))).toBe(true);
	expect(readdirSync(join(root, 'notes'))).toEqual(['later.md', 'registry.md']);
	expect(readdirSync(join(root, 'docs/logs'))).toHaveLength(2);
});

test('a folder of documents that is a link within the repository is written through', async () => {
	const {root, link, tell} = checkout();
	mkdirSync(join(root, 'site/pages'), {recursive: true});
	link('docs', 'site/pages');
	expect(await tell()).toEqual([]);
	expect(isLink(join(root, 'docs'))).toBe(true);
	expect(readdirSync(join(root, 'site/pages/logs'))).toEqual([
		'delegation_registry.md',
		'session_context.md',
	]);
});

test.each([
	['a file', registry, (outside: string) => join(outside, 'mine.md')],
	['a file that is not there', registry, (outside: string) => join(outside, 'none.md')],
	['a relative way to a file', registry, () => '../../../outside/mine.md'],
	['the folder above', 'docs/logs', (outside: string) => outside],
	['the uppermost folder', 'docs', (outside: string) => outside],
	['a folder that is not there', 'docs', (outside: string) => join(outside, 'none')],
])(
	'nothing is written through a link that leads out of the repository: %s',
	async (_, path, to) => {
		const {root, outside, link, tell} = checkout();
		writeFileSync(join(outside, 'mine.md'), 'mine\n');
		link(path, to(outside));
		const before = filesBelow(outside);

		const calls = await tell();
		expect(calls).toHaveLength(1);
		expect(calls[0]).toContainEqual(
			expect.stringContaining(`${registry} is not written: a link leads out of your repository`),
		);
		expect(filesBelow(outside)).toEqual(before);
		expect(readdirSync(outside)).toEqual(['mine.md']);
		expect(isLink(join(root, path))).toBe(true);
	},
);

test('one document that can’t be written keeps no other from it', async () => {
	const {root, outside, link, tell} = checkout();
	link(registry, outside);
	expect(await tell()).toMatchObject([{length: 1}]);
	expect(readFileSync(join(root, progress), 'utf8')).toContain('Commit: c1');
});

test('a link into the folder of git is not followed', async () => {
	const {root, link, tell} = checkout();
	writeFileSync(join(root, '.git/config'), '[core]\n');
	link(progress, '../.git/config');
	expect(await tell()).toEqual([[expect.stringContaining('leads into git’s own folder')]]);
	expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe('[core]\n');
});

test.each([
	['a folder', (path: string) => mkdirSync(path), 'a folder is in its place'],
	[
		'a pipe',
		(path: string) => execFileSync('mkfifo', [path]),
		'something other than a file is in its place',
	],
	['a circle', (path: string) => symlinkSync(path, path), 'links lead in a circle'],
])('what stands in the place of a document stays: %s', async (_, make, why) => {
	const {root, tell} = checkout();
	const path = join(root, progress);
	mkdirSync(dirname(path));
	make(path);
	const {ino} = lstatSync(path);
	expect(await tell()).toEqual([[expect.stringContaining(why)]]);
	expect(lstatSync(path).ino).toBe(ino);
	expect(existsSync(join(root, registry))).toBe(true);
});

test('a file in the place of the folder stays, and is told', async () => {
	const {root, tell} = checkout();
	writeFileSync(join(root, 'docs'), 'mine');
	expect(await tell()).toMatchObject([{length: 3}]);
	expect(readFileSync(join(root, 'docs'), 'utf8')).toBe('mine');
});

test('a folder that can’t be written is told with the cause', async () => {
	const {root, tell} = checkout();
	mkdirSync(join(root, 'docs/logs'), {recursive: true});
	writeFileSync(join(root, progress), 'mine\n');
	chmodSync(dirname(root), 0o755);
	for (const path of ['docs', 'docs/logs']) {
		chmodSync(join(root, path), 0o555);
	}

	const calls = await asNobody(() => tell());
	expect(calls).toEqual([Array(3).fill(expect.stringContaining('permission is denied'))]);
	expect(readFileSync(join(root, progress), 'utf8')).toBe('mine\n');
	chmodSync(join(root, 'docs'), 0o755);
	chmodSync(join(root, 'docs/logs'), 0o755);
});

test('a trouble that the journal tells of already is not told again, and its end is', async () => {
	const {root, outside, link, tell} = checkout();
	link(registry, outside);
	const [troubles = []] = await tell();
	const last = events.at(-1);
	const told: Event = {
		kind: 'machine.documents',
		troubles,
		seq: (last?.seq ?? 0) + 1,
		at: last?.at ?? '',
	};
	expect(await tell([...events, told])).toEqual([]);

	execFileSync('rm', [join(root, registry)]);
	expect(await tell([...events, told])).toEqual([[]]);
});
