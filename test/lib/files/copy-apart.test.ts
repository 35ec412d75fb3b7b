import {execFileSync} from 'node:child_process';
import {
	appendFileSync,
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {copyApart} from '../../../src/lib/files/copy-apart.ts';
import {type Files, temporaryFolder, write} from '../../helpers/repository.ts';

/** A folder to copy from, one beside it that is nobody's business, and one to copy into. */
const sides = (files: Files) => {
	const top = temporaryFolder();
	const [from, outside, to] = ['from', 'outside', 'to'].map(name => join(top, name));
	if (from === undefined || outside === undefined || to === undefined) {
		throw new Error('There are three.');
	}

	write(top, {'from/a.txt': 'a\n', 'outside/secret.txt': 'secret\n', 'to/a.txt': 'a\n'});
	write(from, files);
	return {
		...{from, outside, to},
		copy: (path: string) => copyApart({from, to}, path),
		link: (path: string, goal: string, folder = from) => {
			mkdirSync(dirname(join(folder, path)), {recursive: true});
			symlinkSync(goal, join(folder, path));
		},
		copied: (path: string) => readFileSync(join(to, path), 'utf8'),
		isLink: (path: string) => lstatSync(join(to, path)).isSymbolicLink(),
	};
};

test('a link that is named becomes a file of its own, wherever it leads', async () => {
	const {from, outside, to, copy, link, copied, isLink} = sides({'conf/dev.env': 'dev\n'});
	link('.env', join(outside, 'secret.txt'));
	link('near.env', 'conf/dev.env');
	link('over.env', join(from, '.env'));
	symlinkSync(join(outside, 'secret.txt'), join(to, '.env'));
	for (const path of ['.env', 'near.env', 'over.env']) {
		await copy(path);
		expect(isLink(path)).toBe(false);
		appendFileSync(join(to, path), 'by an agent\n');
	}

	expect(copied('.env')).toBe('secret\nby an agent\n');
	expect(copied('near.env')).toBe('dev\nby an agent\n');
	expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret\n');
	expect(readFileSync(join(from, 'conf/dev.env'), 'utf8')).toBe('dev\n');
	expect(existsSync(join(to, 'conf'))).toBe(false);
});

test('a folder that is copied holds no link that leads out', async () => {
	const {from, outside, to, copy, link, copied, isLink} = sides({
		'modules/tool/bin.js': 'tool\n',
		'packages/one/main.js': 'one\n',
		'later/file.txt': 'later\n',
	});
	write(to, {'packages/one/main.js': 'the agent’s\n'});
	const leads: Readonly<Record<string, readonly [goal: string, there: string]>> = {
		'modules/.bin/tool': ['../tool/bin.js', '../tool/bin.js'],
		'modules/.bin/again': [join(from, 'modules/.bin/tool'), '../tool/bin.js'],
		'modules/top': [from, '..'],
		'modules/self': ['.', '.'],
		'modules/a': [join(from, 'a.txt'), '../a.txt'],
		'modules/one': ['../packages/one', '../packages/one'],
	};
	for (const [path, [goal]] of Object.entries(leads)) {
		link(path, goal);
	}

	link('modules/later', '../later');
	link('modules/out', outside);
	link('modules/nowhere', join(outside, 'nothing'));
	link('inner', 'secret.txt', outside);
	link('back', join(from, 'later'), outside);
	await copy('modules');
	for (const [path, [, there]] of Object.entries(leads)) {
		expect([path, readlinkSync(join(to, path))]).toEqual([path, there]);
	}

	expect(copied('modules/one/main.js')).toBe('the agent’s\n');
	expect(['modules/later', 'modules/out', 'modules/out/back'].map(isLink)).toEqual([
		...[false, false, false],
	]);
	expect(copied('modules/later/file.txt')).toBe('later\n');
	expect(copied('modules/out/back/file.txt')).toBe('later\n');
	expect(readlinkSync(join(to, 'modules/out/inner'))).toBe('secret.txt');
	expect(readdirSync(join(to, 'modules'))).not.toContain('nowhere');
});

test('what is there already goes, but for the files of a folder; modes and odd names come along', async () => {
	const {from, outside, to, copy, link, copied} = sides({'data/run.sh': 'run\n', 'data/x': 'x\n'});
	const odd = (root: string) => Buffer.from(`${root}/data/caf\xe9`, 'latin1');
	writeFileSync(odd(from), 'odd\n');
	execFileSync('mkfifo', [join(from, 'data/pipe')]);
	chmodSync(join(from, 'data/run.sh'), 0o750);
	chmodSync(join(from, 'data'), 0o555);
	write(to, {'data/kept.txt': 'kept\n', 'data/run.sh': 'old\n'});
	link('data/x', join(outside, 'secret.txt'), to);
	await copy('data');
	expect(readFileSync(odd(to), 'utf8')).toBe('odd\n');
	expect(readdirSync(join(to, 'data'), 'latin1')).toEqual(['caf\xe9', 'kept.txt', 'run.sh', 'x']);
	expect(copied('data/x')).toBe('x\n');
	expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret\n');
	expect(statSync(join(to, 'data/run.sh')).mode & 0o777).toBe(0o750);
	expect(statSync(join(to, 'data')).mode & 0o777).toBe(0o755);
	chmodSync(join(from, 'data'), 0o755);
});

test('a link to a folder that contains it is refused, and so is a copy of what holds it', async () => {
	const {from, outside, to, copy, link} = sides({'data/x': 'x\n'});
	link('data/up', dirname(from));
	await expect(copy('data')).rejects.toThrow(`A link leads to ${dirname(from)}, a folder that`);
	link('all', '..');
	await expect(copy('all')).rejects.toThrow('a folder that contains it');
	link('loop', outside, outside);
	link('within/out', outside);
	await copy('within');
	expect(readlinkSync(join(to, 'within/out/loop'))).toBe('.');
	await expect(copy('nothing')).rejects.toThrow('ENOENT');
});

test('a file keeps its time, by which tools tell what has changed since', async () => {
	const {from, to, copy} = sides({'build/a.tsbuildinfo': '{}'});
	const at = new Date('2026-01-02T03:04:05Z');
	utimesSync(join(from, 'build/a.tsbuildinfo'), at, at);
	await copy('build');
	expect(statSync(join(to, 'build/a.tsbuildinfo')).mtime).toEqual(at);
});
