import {execFileSync} from 'node:child_process';
import {closeSync, existsSync, openSync, readFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {Patience, Wait} from '../../../src/git/process/patience.ts';
import type {Move} from '../../../src/git/target/move-target.ts';
import {isAlive, startTime} from '../../../src/lib/process/processes.ts';
import {pictureOf} from '../../helpers/kill-points.ts';
import {movesOf} from '../../helpers/moves.ts';
import {git, script, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

/** Long enough for a git that hangs nowhere, even beside other tests. */
const impatient: Patience = {tellAfterMs: 20, endAfterMs: 3000, lookEveryMs: 20};

/** For what must come to its end, however busy the machine is. */
const calm = {patience: {}};

/** A merge that brings files for which the person has a filter, which does what `body` says. */
const filtered = async (body: string) => {
	const world = await makeWorld({
		'.gitattributes': '*.txt filter=own\n',
		'a.txt': 'old\n',
		'b.txt': 'old b\n',
	});
	const {root, tree, base} = world;
	write(tree, {'a.txt': 'new\n', 'b.txt': 'new b\n', 'c.md': 'plain\n'});
	const to = await world.commitWork();
	const filter = join(root, '.git/filter');
	const calls = join(root, '.git/calls');
	const setFilter = (lines: string) =>
		script(filter, `echo x >>${calls}\ncount=$(wc -l <${calls})\n${lines}`);
	setFilter(body);
	git(root, 'config', 'filter.own.smudge', filter);
	git(root, 'config', 'filter.own.clean', 'cat');
	git(root, 'config', 'filter.own.required', 'true');
	const waits: (Wait | undefined)[] = [];
	const patience: Patience = {...impatient, onWait: wait => waits.push(wait)};
	const {merge, undo} = movesOf(world, base, to);
	const attempt = (options: Partial<Move> = {}) => merge({patience, ...options});
	return {...world, to, attempt, undo, setFilter, waits, before: pictureOf(root)};
};

const sleepers = (waits: readonly (Wait | undefined)[]) =>
	waits.flatMap(wait => (wait?.program?.command.startsWith('sleep') ? [wait.program.pid] : []));

const published = {moved: true};

test('a monitor of files that hangs is not asked, neither by a merge nor by an undo', async () => {
	const {root, attempt, undo} = await filtered('cat');
	const asked = join(root, '.git/asked');
	script(join(root, '.git/monitor'), `echo x >>${asked}\nexec sleep 1000`);
	git(root, 'config', 'core.fsmonitor', join(root, '.git/monitor'));
	expect(await attempt(calm)).toEqual(published);
	expect(await undo(calm)).toEqual(published);
	expect(existsSync(asked)).toBe(false);
});

test('an edit that a monitor of files has missed is not overwritten', async () => {
	const {root, attempt} = await filtered('cat');
	script(join(root, '.git/monitor'), "printf 'token\\0'");
	git(root, 'config', 'core.fsmonitor', join(root, '.git/monitor'));
	git(root, 'status');
	git(root, 'status');
	write(root, {'a.txt': 'mine\n'});
	expect(git(root, 'status', '--porcelain'), 'the monitor is believed').toBe('');
	expect(await attempt()).toMatchObject({cause: 'dirty-checkout', paths: ['a.txt']});
	expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('mine\n');
	expect(git(root, 'config', 'core.fsmonitor')).toContain('monitor');
});

test('a filter that hangs is told and ended before anything is touched', async () => {
	const {root, attempt, setFilter, waits, before} = await filtered('exec sleep 1000');
	expect(await attempt()).toMatchObject({
		moved: false,
		cause: 'other',
		message: expect.stringMatching(
			/^git checkout-index waited for "sleep 1000", for \d+s in all; both were ended\.$/,
		),
		hint: expect.stringContaining('see that it works'),
	});
	expect(pictureOf(root)).toBe(before);
	const [pid = 0] = sleepers(waits);
	expect(pid).toBeGreaterThan(0);
	expect(isAlive({pid, startTime: startTime(pid) ?? ''})).toBe(false);
	expect(waits.at(-1)).toBeUndefined();
	setFilter('cat');
	expect(await attempt(calm)).toEqual(published);
});

test('a filter that hangs while git looks at the files is told and ended', async () => {
	const {root, attempt, before} = await filtered('cat');
	git(root, 'config', 'filter.own.clean', 'sleep 1000');
	// The same content with another time: git has to read it again.
	write(root, {'a.txt': 'old\n'});
	expect(await attempt()).toMatchObject({
		moved: false,
		cause: 'other',
		message: expect.stringContaining('git status waited for "sleep 1000"'),
	});
	git(root, 'config', 'filter.own.clean', 'cat');
	expect(pictureOf(root)).toBe(before);
	expect(await attempt(calm)).toEqual(published);
});

test('a filter that hangs in the middle of the move is ended, and the checkout is as before', async () => {
	// Both files are rehearsed; the second of them hangs when it counts.
	const {root, attempt, before, to} = await filtered('[ $count -eq 4 ] && exec sleep 1000\ncat');
	expect(await attempt()).toMatchObject({
		moved: false,
		cause: 'other',
		message: expect.stringMatching(/git checkout waited for .* Everything is as it was before\.$/),
	});
	expect(pictureOf(root)).toBe(before);
	expect(await attempt(calm)).toEqual(published);
	expect(git(root, 'rev-parse', 'HEAD')).toBe(to);
});

test('where a filter that hangs keeps git from putting the checkout back, that is told, and done by the next try', async () => {
	const {root, attempt, setFilter, to} = await filtered('[ $count -ge 4 ] && exec sleep 1000\ncat');
	expect(await attempt()).toMatchObject({
		moved: false,
		cause: 'interrupted',
		message: expect.stringMatching(/can’t be cleaned up yet: git checkout-index waited for/),
	});
	expect(git(root, 'status', '--porcelain')).not.toBe('');
	setFilter('cat');
	expect(await attempt(calm)).toEqual(published);
	expect(git(root, 'status', '--porcelain')).toBe('');
	expect(git(root, 'rev-parse', 'HEAD')).toBe(to);
});

test('a filter for other files is not asked', async () => {
	const {root, attempt} = await filtered('exec sleep 1000');
	write(root, {'.git/info/attributes': '*.txt -filter\n'});
	expect(await attempt(calm)).toEqual(published);
});

test('a filter that takes long is told, and waited for', async () => {
	const {root, attempt} = await filtered('head -c1 <"$(dirname "$0")/pipe" >/dev/null\ncat');
	const pipe = join(root, '.git/pipe');
	execFileSync('mkfifo', [pipe]);
	// Opened for both ways: neither side waits for the other to open it.
	const end = openSync(pipe, 'r+');
	onTestFinished(() => closeSync(end));
	const told: Wait[] = [];
	const patience: Patience = {
		...impatient,
		endAfterMs: 60_000,
		onWait: wait => {
			if (wait?.program?.command.startsWith('head')) {
				told.push(wait);
				writeSync(end, 'x');
			}
		},
	};
	expect(await attempt({patience})).toEqual(published);
	expect(told[0]).toMatchObject({command: 'git checkout-index'});
});

test('a filter that fails is told before anything is touched', async () => {
	const {root, attempt, before} = await filtered('[ "$(cat)" = "new b" ] && exit 1\necho new');
	expect(await attempt()).toMatchObject({
		moved: false,
		cause: 'other',
		message: expect.stringContaining('can’t write the files of the merge: external filter'),
		paths: ['a.txt', 'b.txt'],
	});
	expect(pictureOf(root)).toBe(before);
});

test('a filter that fails in the middle of the move leaves the checkout as before', async () => {
	const {root, attempt, before} = await filtered('[ $count -eq 4 ] && exit 1\ncat');
	expect(await attempt()).toMatchObject({
		moved: false,
		message: expect.stringContaining('.git/filter'),
	});
	expect(pictureOf(root)).toBe(before);
	expect(await attempt(calm)).toEqual(published);
});

test('a git that has ended while what it started holds its output is not waited for any longer', async () => {
	const {root, attempt, setFilter, before} = await filtered('cat');
	const pid = join(root, '.git/pid');
	const daemon = `setsid sh -c 'echo $$ >${pid}; exec sleep 1000' </dev/null >/dev/null &`;
	setFilter(`[ $count -eq 4 ] && ${daemon}\ncat`);
	onTestFinished(() => void process.kill(Number(readFileSync(pid, 'utf8'))));
	expect(await attempt()).toMatchObject({
		moved: false,
		message: expect.stringMatching(
			/^git checkout took longer than .* Everything is as it was before\.$/,
		),
	});
	expect(pictureOf(root)).toBe(before);
	expect(await attempt(calm)).toEqual(published);
});
