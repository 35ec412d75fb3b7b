import {chmodSync, readFileSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {execa} from 'execa';
import {expect, onTestFinished, test} from 'vitest';
import {release, releasedChangelog} from '../scripts/release.ts';
import {commitAll, git, makeRepository, write} from './helpers/repository.ts';

const changelog =
	'# Changelog\n\n## Unreleased\n\n- It counts.\n\n## 0.1.0 (2026-01-02)\n\n- It is.\n';

/** A package whose program says its own version. */
const makePackage = (program = 'console.log(require("../package.json").version)') => {
	const root = makeRepository({
		'package.json': JSON.stringify({
			name: 'counter',
			version: '0.1.0',
			bin: {counter: 'bin/run.cjs'},
		}),
		'bin/run.cjs': `#!/usr/bin/env node\n${program}\n`,
		'CHANGELOG.md': changelog,
	});
	chmodSync(join(root, 'bin/run.cjs'), 0o755);
	commitAll(root, 'start');
	return {root, version: '0.2.0', date: '2026-11-28'};
};

test('a release has its version in the package, the changelog, the tag and the packed program', async () => {
	const parts = makePackage();
	const file = await release(parts);
	onTestFinished(() => rmSync(dirname(file), {recursive: true}));
	expect(readFileSync(join(parts.root, 'CHANGELOG.md'), 'utf8')).toContain(
		'## Unreleased\n\n## 0.2.0 (2026-11-28)\n\n- It counts.\n\n## 0.1.0 (2026-01-02)',
	);
	expect(JSON.parse(git(parts.root, 'show', 'v0.2.0:package.json')).version).toBe('0.2.0');
	expect(git(parts.root, 'status', '--porcelain')).toBe('');
	const {stdout} = await execa('tar', ['-tzf', file]);
	expect(stdout).toContain('package/bin/run.cjs');
});

test('a program that does not start once it is packed is not released, and the checkout is as it was', async () => {
	const parts = makePackage('require("../left-out.cjs")');
	write(parts.root, {'left-out.cjs': '', '.npmignore': 'left-out.cjs\n'});
	const head = commitAll(parts.root, 'a file that is not packed');
	await expect(release(parts)).rejects.toThrow('left-out.cjs');
	expect(git(parts.root, 'status', '--porcelain')).toBe('');
	expect(git(parts.root, 'rev-parse', 'HEAD')).toBe(head);
	expect(git(parts.root, 'tag')).toBe('');
});

test('a version that is not newer, changes that are not committed and an empty changelog are refused', async () => {
	const parts = makePackage();
	await expect(release({...parts, version: '0.1.0'})).rejects.toThrow('no version after 0.1.0');
	await expect(release({...parts, version: '0.10'})).rejects.toThrow('no version after 0.1.0');
	write(parts.root, {'left.txt': ''});
	await expect(release(parts)).rejects.toThrow('left.txt');
	const nothing = changelog.replace('- It counts.\n\n', '');
	expect(() => releasedChangelog(nothing, parts)).toThrow('nothing unreleased');
});
