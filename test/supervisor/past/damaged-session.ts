import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {crc32} from 'node:zlib';
import {encodeLine} from '../../../src/journal/codec.ts';
import {openJournal} from '../../../src/journal/writer.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {working} from '../../helpers/given.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

export const id = 'DEL-20260101T000000000Z';

/** The state of a repository with one session, whose agent is at work; its journal has several segments. */
export const stateWithSession = async () => {
	const home = repositoryFolder(temporaryFolder(), 'repository');
	const folder = home.session(id);
	const journal = await openJournal({folder: folder.journal, session: id, segmentBytes: 1200});
	for (const {seq: _, ...body} of working(['AGT-001']).events()) {
		await journal.append([body]);
	}

	await journal.close();
	mkdirSync(folder.agent('AGT-001').tree, {recursive: true});
	writeFileSync(join(folder.agent('AGT-001').tree, 'work.txt'), 'work\n');
	return {home, folder};
};

/** What can happen to a journal, and what a person is told of it. */
export const damages: readonly (readonly [string, (journal: string) => void, RegExp])[] = [
	['a flipped bit', on(1, text => text.replace('"at":"2', '"at":"3')), /its checksum is wrong/],
	['a line without its checksum', onLine(1, 1, line => line.slice(0, -10)), /it has no checksum/],
	[
		'a line that says nothing known',
		onLine(1, 1, () => sealed('{"what":1}')),
		/it is neither a header nor an entry/,
	],
	['a gap of numbers', onLine(1, 1, () => undefined), /entry 2 stands where 1 belongs/],
	[
		'a header that is gone',
		onLine(2, 0, () => undefined),
		/the header that belongs here is missing/,
	],
	[
		'a header among the entries',
		onLine(1, 1, () => header(id, 1, 1)),
		/the entry that belongs here is missing/,
	],
	[
		'the header of another segment',
		onLine(2, 0, () => header(id, 7, 1)),
		/it is the header of segment 7/,
	],
	[
		'a segment that starts elsewhere',
		onLine(2, 0, () => header(id, 2, 99)),
		/the segment starts with entry 99 where/,
	],
	[
		'a segment of another session',
		onLine(2, 0, readHeader => header('DEL-2', 2, JSON.parse(readHeader).first)),
		/the segment belongs to session DEL-2/,
	],
	['a segment that is cut short', on(1, text => text.slice(0, -20)), /the segment is cut short/],
	[
		'a segment that is missing',
		journal => rmSync(join(journal, '000001.ndjson')),
		/the segment is missing/,
	],
	[
		'a later version of the format',
		onLine(2, 0, () => sealed('{"journal":2}')),
		/version 2 of the journal format/,
	],
	[
		'a kind of event that is not known',
		onLine(1, 2, () => encodeLine({seq: 2, at: '2026', kind: 'moon.rose'}).trimEnd()),
		/Event 2 of the journal is of an unknown kind: moon\.rose/,
	],
	[
		'the journal of another session',
		journal => {
			for (const name of readdirSync(journal).slice(1)) {
				rmSync(join(journal, name));
			}
			onLine(1, 0, () => header('DEL-2', 1, 1))(journal);
		},
		/belongs to session DEL-2, not DEL-2026/,
	],
	['no journal at all', journal => renameSync(journal, `${journal}-gone`), /journal is missing/],
	[
		'a journal that was emptied',
		journal => {
			for (const name of readdirSync(journal).slice(1)) {
				rmSync(join(journal, name));
			}
			on(1, text => `${text.split('\n')[0]}\n`)(journal);
		},
		/holds no event/,
	],
];

function on(segment: number, change: (text: string) => string) {
	return (journal: string): void => {
		const path = join(journal, `00000${segment}.ndjson`);
		writeFileSync(path, change(readFileSync(path, 'utf8')));
	};
}

function onLine(segment: number, index: number, change: (line: string) => string | undefined) {
	return on(segment, text => {
		const lines = text.split('\n');
		const changed = change(lines[index] ?? '');
		lines.splice(index, 1, ...(changed === undefined ? [] : [changed]));
		return lines.join('\n');
	});
}

const header = (session: string, segment: number, first: number): string =>
	encodeLine({journal: 1, session, segment, first}).trimEnd();

const sealed = (text: string): string =>
	`${text.slice(0, -1)},"crc":"${crc32(text).toString(16).padStart(8, '0')}"}`;
