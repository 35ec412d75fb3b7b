import {appendFileSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {pinBase} from '../../../src/git/repository/base-ref.ts';
import {openJournal} from '../../../src/journal/writer.ts';
import {repositoryFolder, type SessionFolder} from '../../../src/supervisor/folder.ts';
import {removeUnstarted} from '../../../src/supervisor/past/set-aside.ts';
import {openNew} from '../../git/repository/died-over-base.ts';
import {planned} from '../../helpers/given.ts';
import {git, temporaryFolder} from '../../helpers/repository.ts';

const id = 'DEL-20260101T000000000Z';

/** A session that has pinned its base, with what else a test makes of it, and what a start leaves of that. */
const afterStart = async (make: (folder: SessionFolder) => unknown) => {
	const {repository, head} = await openNew();
	const folder = repositoryFolder(temporaryFolder(), 'repository');
	const session = folder.session(id);
	mkdirSync(session.path, {recursive: true});
	await pinBase(repository, id, head);
	await make(session);
	const told: string[] = [];
	await removeUnstarted({folder, repository, log: words => told.push(words)});
	const ref = git(repository.root, 'for-each-ref', '--format=%(refname)', 'refs/delegate');
	return {told, isKept: existsSync(session.path), isPinned: ref === `refs/delegate/${id}/base`};
};

const journalOf = async ({journal}: SessionFolder): Promise<void> =>
	(await openJournal({folder: journal, session: id})).close();

const gone = {told: [], isKept: false, isPinned: false};
const kept = {told: [], isKept: true, isPinned: true};

test.each<readonly [string, (folder: SessionFolder) => unknown]>([
	['an empty folder', () => {}],
	['a journal without an event', journalOf],
	[
		'environments, and half of a file of them',
		({path, environments}) => {
			writeFileSync(environments, '{}');
			writeFileSync(join(path, '.environments.json.1a2b.tmp'), '{');
		},
	],
])('of a session that never began nothing stays: %s', async (_, make) => {
	expect(await afterStart(make)).toEqual(gone);
});

test.each<readonly [string, (folder: SessionFolder) => unknown]>([
	[
		'one that began',
		async ({journal}) => {
			const opened = await openJournal({folder: journal, session: id});
			await opened.append(
				planned([])
					.events()
					.map(({seq: _, ...body}) => body),
			);
			await opened.close();
		},
	],
	[
		'one whose first event was half written',
		async folder => {
			await journalOf(folder);
			appendFileSync(join(folder.journal, '000001.ndjson'), '{"seq":1,"at":"20');
		},
	],
	['one that lost its journal', folder => mkdirSync(dirname(folder.agent('AGT-001').tree))],
	[
		'one that was set aside',
		async folder => {
			await journalOf(folder);
			writeFileSync(folder.setAside, '');
		},
	],
	[
		'one that is damaged',
		async folder => {
			await journalOf(folder);
			writeFileSync(join(folder.journal, '000001.ndjson'), 'no\njournal\n');
		},
	],
])('of any other all stays: %s', async (_, make) => {
	expect(await afterStart(make)).toEqual(kept);
});

test('one that can’t be looked at keeps no other from it, and is told', async () => {
	const {told, isKept} = await afterStart(({path}) =>
		writeFileSync(join(dirname(path), 'DEL-1'), 'no folder'),
	);
	expect(told).toEqual([expect.stringMatching(/^the leftovers of DEL-1 could not be read/)]);
	expect(isKept).toBe(false);
});
