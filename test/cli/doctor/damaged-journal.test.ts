import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {setSessionAside} from '../../../src/cli/doctor/sessions/set-session-aside.ts';
import {checkSessions} from '../../../src/cli/doctor/sessions.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {asNobody} from '../../helpers/as-nobody.ts';
import {id, writtenSession} from '../written-session.ts';

const containment = groupsContainment('for a test');

/** A repository with one session, and what the doctor finds there. */
const patient = async () => {
	const {here, folder} = await writtenSession();
	return {here, folder, look: () => checkSessions({here, environment: {}, containment})};
};

test('a session whose journal is damaged is told as a fault, with the place and what to do', async () => {
	const {folder, look} = await patient();
	writeFileSync(join(folder.journal, '000001.ndjson'), 'not\na\njournal\n');
	expect(await look()).toContainEqual({
		level: 'bad',
		text: expect.stringMatching(
			/000001\.ndjson is damaged in line 1: .*; no event before that is whole$/,
		),
		hint: expect.stringContaining(`delegate-tui doctor --set-aside ${id}`),
	});
});

test('a session that was set aside is told with where its work lies, and is no fault', async () => {
	const {folder, look} = await patient();
	mkdirSync(folder.agent('AGT-001').tree, {recursive: true});
	mkdirSync(folder.resolution('c-1'), {recursive: true});
	const why = 'The disk was wet.';
	writeFileSync(folder.setAside, JSON.stringify({at: '2026-11-22T10:00:00.000Z', why}));
	const findings = await look();
	expect(findings.map(({level}) => level)).toEqual(['good', 'good', 'absent']);
	expect(findings.at(-1)?.text).toBe(
		`${id} was set aside on 2026-11-22: ${why} Its work is kept: AGT-001 in ${folder.agent('AGT-001').tree}, resolution of c-1 in ${folder.resolution('c-1')}`,
	);
});

test('a journal that may not be read is no damage, and is not set aside', async () => {
	const {here, folder, look} = await patient();
	for (const path of [dirname(dirname(here.folder.path)), dirname(here.folder.path)]) {
		chmodSync(path, 0o755);
	}

	chmodSync(here.folder.path, 0o755);
	chmodSync(dirname(here.repository.root), 0o755);
	chmodSync(folder.path, 0o755);
	chmodSync(folder.journal, 0o000);
	await asNobody(async () => {
		expect(await look()).toContainEqual({
			level: 'bad',
			text: expect.stringMatching(/can’t be read, which says nothing about its journal: .*denied/),
			hint: expect.stringContaining('who owns'),
		});
		await expect(setSessionAside(here, id, {yes: true})).rejects.toMatchObject({
			kind: 'missing',
			message: expect.stringContaining(`That is not damage, so ${id} was not set aside`),
		});
	});
	expect(existsSync(folder.setAside)).toBe(false);
	chmodSync(folder.journal, 0o700);
});

test('a session that is whole, or not there, is not set aside', async () => {
	const {here, folder} = await patient();
	await expect(setSessionAside(here, id, {yes: true})).rejects.toMatchObject({kind: 'refused'});
	expect(existsSync(folder.setAside)).toBe(false);
	await expect(setSessionAside(here, 'DEL-1', {yes: true})).rejects.toMatchObject({
		kind: 'usage',
		message: 'There is no session DEL-1 in this repository.',
	});
});
