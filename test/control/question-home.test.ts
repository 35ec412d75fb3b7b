import {chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	foldersOf,
	prepareHome,
	questionHome,
	roomsOf,
	standOf,
} from '../../src/control/questions/home.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const makeHomes = async () => {
	const homes = [questionHome(temporaryFolder()), questionHome(temporaryFolder())] as const;
	await Promise.all(homes.map(prepareHome));
	return homes;
};

/** Returns what time a file system gives to a change now; some know no shorter times than milliseconds. */
const timeOn = (probe: string): bigint => {
	writeFileSync(probe, 'now');
	return statSync(probe, {bigint: true}).ctimeNs;
};

test('folders of questions stand as they stood while nothing is made, moved, removed or closed in them', async () => {
	const homes = await makeHomes();
	const [, own] = homes;
	let before = standOf(homes);
	expect(before).toBeDefined();
	expect(standOf(homes)).toBe(before);
	const changes = [...roomsOf(own), ...foldersOf(own)].flatMap(folder => [
		() => mkdirSync(join(folder, 'new')),
		() => renameSync(join(folder, 'new'), join(folder, 'moved')),
		() => rmSync(join(folder, 'moved'), {recursive: true}),
		() => chmodSync(folder, 0o500),
		() => chmodSync(folder, 0o700),
	]);
	const probe = join(temporaryFolder(), 'probe');
	for (const change of [...changes, () => rmSync(own.rejected, {recursive: true})]) {
		const begun = timeOn(probe);
		await expect.poll(() => timeOn(probe) > begun, {interval: 1}).toBe(true);
		change();
		const now = standOf(homes);
		expect(now).not.toBe(before);
		before = now;
	}
});

test('folders that are replaced stand otherwise, be they made anew at once', async () => {
	const homes = await makeHomes();
	const before = standOf(homes);
	rmSync(homes[0].path, {recursive: true});
	await prepareHome(homes[0]);
	expect(standOf(homes)).not.toBe(before);
});

test.each(['pending', 'answers'] as const)(
	'nothing is told of how folders stand with a file in %s, which may be written in place',
	async room => {
		const homes = await makeHomes();
		const path = join(homes[1][room], room === 'pending' ? 'q.json' : 'q.txt');
		writeFileSync(path, 'half');
		expect(standOf(homes)).toBeUndefined();
		rmSync(path);
		expect(standOf(homes)).toBeDefined();
	},
);
