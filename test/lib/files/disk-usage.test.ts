import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {diskUsage} from '../../../src/lib/files/reading.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

test('a folder takes what its files take, and a link nothing of where it leads', async () => {
	const [folder, other] = [temporaryFolder(), temporaryFolder()];
	const empty = await diskUsage(folder);
	writeFileSync(join(other, 'large'), Buffer.alloc(10 * 2 ** 20, 1));
	symlinkSync(other, join(folder, 'link'));
	mkdirSync(join(folder, 'below'));
	writeFileSync(join(folder, 'below/file'), Buffer.alloc(2 ** 20, 1));
	const used = (await diskUsage(folder)) - empty;
	expect(used).toBeGreaterThanOrEqual(2 ** 20);
	expect(used).toBeLessThan(2 * 2 ** 20);
});

test('what is not there takes nothing', async () => {
	expect(await diskUsage(join(temporaryFolder(), 'nothing'))).toBe(0);
});
