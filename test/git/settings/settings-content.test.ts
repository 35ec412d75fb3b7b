import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, symlinkSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {settingsContent} from '../../../src/git/read-settings.ts';
import {temporaryFolder, write} from '../../helpers/repository.ts';

test('nothing is read or waited for where no file lies', async () => {
	const folder = temporaryFolder();
	const at = (name: string) => settingsContent(join(folder, name));
	execFileSync('mkfifo', [join(folder, 'pipe')]);
	mkdirSync(join(folder, 'folder'));
	symlinkSync('circle', join(folder, 'circle'));
	const server = createServer().listen(join(folder, 'socket'));
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	expect(await at('pipe')).toEqual(['special']);
	expect(await at('folder')).toEqual(['folder']);
	expect(await at('circle')).toEqual(['unreadable']);
	expect(await at('socket')).toEqual(['unreadable']);
	expect(await at('missing')).toBeUndefined();
	write(folder, {file: 'x'});
	expect(await at('file')).toEqual(['file', false, expect.any(String)]);
});

test('a place that can’t be looked at although nobody forbids it is a failure', async () => {
	await expect(settingsContent(join(temporaryFolder(), 'x'.repeat(300)))).rejects.toThrow(
		'ENAMETOOLONG',
	);
});
