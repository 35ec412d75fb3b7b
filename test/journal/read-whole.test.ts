import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readWhole} from '../../src/journal/read-whole.ts';
import {noted, notes, session, temporaryFolder, withJournal} from './helpers.ts';

const written = async () => {
	const folder = join(temporaryFolder(), 'journal');
	await withJournal({folder, session}, journal => journal.append(notes(3)));
	return {folder, path: join(folder, '000001.ndjson')};
};

test('all entries of a journal are read, and a torn end is no harm', async () => {
	const {folder, path} = await written();
	expect(await readWhole(folder)).toEqual(noted(3));
	appendFileSync(path, '{"seq":4,');
	expect(await readWhole(folder)).toEqual(noted(3));
});

test('nobody draws conclusions from a journal that is damaged, or of another version', async () => {
	const {folder, path} = await written();
	const text = readFileSync(path, 'utf8');
	writeFileSync(path, text.replace('"seq":2', '"seq":9'));
	await expect(readWhole(folder)).rejects.toMatchObject({kind: 'refused'});
	writeFileSync(path, '{"journal":2}\n');
	await expect(readWhole(folder)).rejects.toMatchObject({kind: 'refused'});
	await expect(readWhole(join(folder, 'nowhere'))).rejects.toMatchObject({kind: 'missing'});
});
