import {
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {encodeLine} from '../../src/journal/codec.ts';
import {diskFiles, type JournalFiles} from '../../src/journal/files.ts';
import {readJournal} from '../../src/journal/read.ts';
import {segmentPath} from '../../src/journal/scan.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {Failure} from '../../src/lib/failure.ts';
import {
	contents,
	journalOf,
	note,
	noted,
	notes,
	session,
	temporaryFolder,
	withJournal,
} from './helpers.ts';

const folderOf = (position: string) => join(position, 'journal');

test('what is appended is read back after the journal is opened again', async () => {
	const folder = folderOf(temporaryFolder());
	await withJournal({folder, session}, async journal => {
		expect(journal.entries).toEqual([]);
		expect(await journal.append(notes(3))).toEqual(noted(3));
	});
	await withJournal({folder, session}, async journal => {
		expect(journal.entries).toEqual(noted(3));
		expect(journal.tornTail).toBeUndefined();
		expect(await journal.append([note(4)])).toEqual(noted(4).slice(3));
	});
	const reading = await readJournal(folder);
	expect(reading.entries).toEqual(noted(4));
	expect(reading.end).toEqual({kind: 'whole'});
});

test('a journal of another session is refused', async () => {
	const folder = await journalOf(1);
	await expect(openJournal({folder, session: 'DEL-2'})).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining(`belongs to session ${session}, not DEL-2`),
	});
});

test('numbers run on across segments, and each segment says where it starts', async () => {
	const folder = folderOf(temporaryFolder());
	for (const first of [0, 20, 40]) {
		await withJournal({folder, session, segmentBytes: 1000}, async journal => {
			for (const body of notes(60).slice(first, first + 20)) {
				await journal.append([body]);
			}
		});
	}

	const names = readdirSync(folder).sort();
	expect(names.length).toBeGreaterThan(5);
	for (const name of names) {
		const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
		const [header, entry] = lines.map(line => JSON.parse(line));
		expect(header).toMatchObject({journal: 1, session, segment: Number(name.slice(0, 6))});
		expect(entry.seq).toBe(header.first);
		expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1000);
	}

	expect((await readJournal(folder)).entries).toEqual(noted(60));
});

test('an entry that is larger than a segment gets one of its own', async () => {
	const folder = folderOf(temporaryFolder());
	await withJournal({folder, session, segmentBytes: 10}, async journal => {
		await journal.append([note(1)]);
		await journal.append([note(2), note(3)]);
	});
	expect(readdirSync(folder)).toEqual(['000001.ndjson', '000002.ndjson']);
	expect((await readJournal(folder)).entries).toEqual(noted(3));
});

test('calls that come during a sync share one write and one sync', async () => {
	const {files, calls} = counted();
	const folder = folderOf(temporaryFolder());
	await withJournal({folder, session, files}, async journal => {
		calls.length = 0;
		const appended = notes(50).map(body => journal.append([body]));
		expect((await Promise.all(appended)).flat()).toEqual(noted(50));
		expect(calls).toEqual(['write', 'sync', 'write', 'sync']);
	});
});

test('an append resolves only after its sync', async () => {
	const {files, calls} = counted();
	await withJournal({folder: folderOf(temporaryFolder()), session, files}, async journal => {
		calls.length = 0;
		await journal.append([note(1)]);
		expect(calls).toEqual(['write', 'sync']);
	});
});

test('what is about to be believed is synced when the journal is opened', async () => {
	const folder = await journalOf(2);
	const {files, calls} = counted();
	await withJournal({folder, session, files}, () => {
		expect(calls).toContain('sync');
		expect(calls).toContain('syncFolder');
	});
});

test('a torn tail is kept beside the journal, then cut', async () => {
	const folder = await journalOf(2);
	const position = dirname(folder);
	for (const tail of ['{"seq":3,"at":', '{"seq":3,"at":"again']) {
		writeFileSync(join(folder, '000001.ndjson'), tail, {flag: 'a'});
		await withJournal({folder, session}, journal => {
			expect(journal.entries).toEqual(noted(2));
			expect(readFileSync(journal.tornTail ?? '', 'utf8')).toBe(tail);
		});
		expect((await readJournal(folder)).end).toEqual({kind: 'whole'});
	}

	expect(readdirSync(join(position, 'torn'))).toHaveLength(2);
	await withJournal({folder, session}, journal => journal.append([note(3)]));
	expect((await readJournal(folder)).entries).toEqual(noted(3));
});

test('only its owner can read a journal', async () => {
	const folder = folderOf(temporaryFolder());
	await withJournal({folder, session}, () => {});
	expect(statSync(folder).mode & 0o777).toBe(0o700);
	expect(statSync(join(folder, '000001.ndjson')).mode & 0o777).toBe(0o600);
});

test('an entry can’t bring a number of its own, and the next one is unharmed', async () => {
	const folder = folderOf(temporaryFolder());
	await withJournal({folder, session}, async journal => {
		const body: object = {...note(1), seq: 9};
		await expect(journal.append([body as ReturnType<typeof note>])).rejects.toThrow('number');
		expect(await journal.append([note(1)])).toEqual(noted(1));
	});
});

test('nothing can be appended once the journal is closed, and what was appended before is written', async () => {
	const folder = folderOf(temporaryFolder());
	const journal = await openJournal({folder, session});
	const appended = notes(10).map(body => journal.append([body]));
	const closed = journal.close();
	await expect(journal.append([note(11)])).rejects.toThrow('closed');
	await Promise.all([...appended, closed]);
	expect((await readJournal(folder)).entries).toEqual(noted(10));
});

test.each([
	['a changed byte', (text: string) => text.replace('"seq":2', '"seq":7'), 'its checksum is wrong'],
	[
		'a later version',
		(text: string) => text.replace(/.*\n/, encodeLine({journal: 9} as never)),
		'version 9',
	],
])('%s is refused and nothing is changed', async (_, damage, reason) => {
	const folder = await journalOf(3);
	const position = dirname(folder);
	const path = join(folder, '000001.ndjson');
	writeFileSync(path, `${damage(readFileSync(path, 'utf8'))}{"torn`);
	const before = contents(position);
	await expect(openJournal({folder, session})).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining(reason),
	});
	expect(contents(position)).toEqual(before);
});

test('a file of another name in the folder is left alone', async () => {
	const folder = folderOf(temporaryFolder());
	mkdirSync(folder);
	writeFileSync(join(folder, 'notes.txt'), 'mine');
	await withJournal({folder, session}, journal => journal.append(notes(1)));
	expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
});

/** The real disk, with a list of what was asked of it. */
const counted = (): {readonly files: JournalFiles; readonly calls: string[]} => {
	const calls: string[] = [];
	const count =
		(open: JournalFiles['open']): JournalFiles['open'] =>
		async path => {
			const file = await open(path);
			return {
				...file,
				write: (bytes, position) => {
					calls.push('write');
					return file.write(bytes, position);
				},
				sync: () => {
					calls.push('sync');
					return file.sync();
				},
			};
		};

	const files: JournalFiles = {
		...diskFiles,
		create: count(diskFiles.create),
		open: count(diskFiles.open),
		syncFolder: folder => {
			calls.push('syncFolder');
			return diskFiles.syncFolder(folder);
		},
	};
	return {files, calls};
};

test.for([
	['removed', (path: string) => rmSync(path)],
	['replaced', (path: string) => writeFileSync(`${path}.new`, readFileSync(path))],
	['written to', (path: string) => writeFileSync(path, '{"seq":4}\n', {flag: 'a'})],
	['cut', (path: string) => truncateSync(path, 200)],
] as const)(
	'a journal that another program has %s is written to no more',
	async ([how, change]) => {
		const folder = await journalOf(3);
		const path = segmentPath(folder, 1);
		await withJournal({folder, session}, async journal => {
			change(path);
			if (how === 'replaced') {
				renameSync(`${path}.new`, path);
			}

			const left = contents(folder);
			await expect(journal.append([note(4)])).rejects.toMatchObject({
				kind: 'refused',
				message: expect.stringContaining(`replaced or changed ${path}`),
			});
			expect(contents(folder)).toEqual(left);
		});
	},
);

test('not a byte is written once the lock is lost', async () => {
	const folder = await journalOf(3);
	const lost = new Failure('refused', 'the lock is lost');
	let isLost = false;
	const requireLock = () => {
		if (isLost) {
			throw lost;
		}
	};
	await withJournal({folder, session, requireLock, segmentBytes: 600}, async journal => {
		await journal.append([note(4)]);
		isLost = true;
		const left = contents(folder);
		await expect(journal.append(notes(20))).rejects.toBe(lost);
		expect(contents(folder)).toEqual(left);
	});
	await expect(openJournal({folder, session, requireLock})).rejects.toBe(lost);
});
