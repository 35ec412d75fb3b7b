import {mkdirSync, readlinkSync, symlinkSync, writeFileSync} from 'node:fs';
import {platform} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Box} from '../../../src/lib/process/box.ts';
import {findContainment} from '../../../src/lib/process/containment.ts';
import {linkHomes, seatbeltWords} from '../../../src/lib/process/seatbelt.ts';
import {findSeatbelt} from '../../../src/lib/process/try-seatbelt.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {byBubblewrap, sandboxExec} from '../../helpers/seatbelt.ts';

const {fileSandbox} = await findContainment();
const git = ['git', '--version'];
const hasBubblewrap = 'by' in fileSandbox && fileSandbox.by === 'bubblewrap';

/** Returns what the last rule of a profile about an operation on a path says. */
const verdictOf = (profile: string, operation: string, path: string): string =>
	profile
		.split('\n')
		.findLast(rule => {
			const [, operations = '', kind, text = '""'] =
				/^\(\w+ ([^(]*) \((subpath|literal) ("[^"]*")\)\)$/.exec(rule) ?? [];
			const place: string = JSON.parse(text);
			const isNamed = operations
				.split(' ')
				.some(name => operation === name || operation.startsWith(name.replace(/\*$/, '-')));
			return isNamed && (path === place || (kind === 'subpath' && path.startsWith(`${place}/`)));
		})
		?.split(' ', 1)[0]
		?.slice(1) ?? 'deny';

const profileFor = (box: Box, isOffline = false): string =>
	seatbeltWords('/usr/bin/sandbox-exec', box, {isOffline}).at(-1) ?? '';

/** Makes the files of an agent and of a person, and the box of that agent. */
const laid = () => {
	const folder = temporaryFolder();
	const at = (name: string): string => join(folder, name);
	for (const name of [
		'state/tree/src',
		'state/tree/closed',
		'state/home',
		'state/socket',
		'checkout/.git',
		'person',
	]) {
		mkdirSync(at(name), {recursive: true});
	}

	for (const name of ['state/tree/.git', 'checkout/file', 'person/login', 'person/other']) {
		writeFileSync(at(name), '');
	}

	const box: Box = [
		{path: at('state'), as: 'empty'},
		{path: at('person'), as: 'own', from: at('state/home')},
		{path: at('person/login'), as: 'own'},
		{path: at('state/tree'), as: 'own'},
		{path: at('state/tree/.git'), as: 'seen'},
		{path: at('state/tree/closed'), as: 'closed'},
		{path: at('state/socket'), as: 'seen'},
		{path: at('checkout'), as: 'seen'},
		{path: at('checkout/.git'), as: 'empty'},
	];
	const profile = profileFor(box);
	return {at, box, profile};
};

describe('a profile of Seatbelt', () => {
	test('lets be read and written what the box shows, and nothing else', () => {
		const {at, profile} = laid();
		const reached = (name: string) =>
			['file-read-data', 'file-write-data'].filter(
				operation => verdictOf(profile, operation, at(name)) === 'allow',
			);
		const both = ['file-read-data', 'file-write-data'];
		for (const name of ['state/tree/src/a.ts', 'state/home/anything', 'person/login']) {
			expect(reached(name)).toEqual(both);
		}

		const closed = ['state/tree/.git', 'state/tree/closed/file', 'checkout/file'];
		expect(closed.map(reached)).toEqual(closed.map(() => [both[0]]));
		for (const name of [
			'state/other/tree/file',
			'checkout/.git/config',
			'person/other',
			'elsewhere',
		]) {
			expect(reached(name)).toEqual([]);
		}
	});

	test('keeps in place what its rules name, and what is around that', () => {
		const {at, profile} = laid();
		const unlink = (name: string) => verdictOf(profile, 'file-write-unlink', at(name));
		const kept = ['state/tree', 'state/tree/.git', 'state/tree/closed', 'state/home'];
		expect(kept.map(unlink)).toEqual(kept.map(() => 'deny'));
		expect(['state/tree/src', 'state/home/file'].map(unlink)).toEqual(['allow', 'allow']);
	});

	test('lets the way to a path be followed, and nothing of what lies beside it be seen', () => {
		const {at, profile} = laid();
		expect(verdictOf(profile, 'file-read-metadata', at('state'))).toBe('allow');
		expect(verdictOf(profile, 'file-read-data', at('state'))).toBe('deny');
		expect(verdictOf(profile, 'file-read-metadata', at('state/other'))).toBe('deny');
	});

	test('opens its own sockets and those of a folder that is shown of a hidden one, and no others', () => {
		const {at, profile} = laid();
		const sockets = [...profile.matchAll(/outbound \(remote unix-socket \(\w+ "(.*)"\)\)\)/g)];
		expect(sockets.map(([, path]) => path).sort()).toEqual(
			[
				'/private/var/run/mDNSResponder',
				...['person/login', 'state/home', 'state/socket', 'state/tree'].map(at),
			].sort(),
		);
	});

	test('closes the network but for this machine', () => {
		const {box, profile} = laid();
		expect(profile).toContain('(allow network-outbound (remote ip "*:*"))');
		const closed = profileFor(box, true);
		expect(closed).toContain('(allow network-outbound (remote ip "localhost:*"))');
		expect(closed).not.toMatch(/remote ip "\*|mDNSResponder|trustd/);
	});

	test('names files that lie behind links as the kernel does', () => {
		const {at} = laid();
		symlinkSync(at('checkout'), at('link'));
		const linked = profileFor([{path: at('link/file'), as: 'own'}]);
		expect(verdictOf(linked, 'file-write-data', at('checkout/file'))).toBe('allow');
		expect(verdictOf(linked, 'file-read-metadata', at('link'))).toBe('allow');
		symlinkSync(at('person/other'), at('checkout/further'));
		const further = profileFor([{path: at('link/further'), as: 'seen'}]);
		expect(verdictOf(further, 'file-read-metadata', at('checkout/further'))).toBe('allow');
	});

	test('finds in its home, by links, what a person has in theirs', () => {
		const {at, box} = laid();
		writeFileSync(at('state/home/login'), 'planted');
		linkHomes(box);
		expect(readlinkSync(at('state/home/login'))).toBe(at('person/login'));
		expect(verdictOf(profileFor(box), 'file-write-unlink', at('state/home/login'))).toBe('deny');
	});
});

describe('the trial of Seatbelt', () => {
	test('finds out a program that protects nothing', async () => {
		const found = await findSeatbelt(git, sandboxExec('shift 2; exec "$@"'));
		expect(found).toEqual({missing: expect.stringMatching(/^Seatbelt fails its trial here: /)});
		for (const trouble of [
			'writes beside its worktree',
			'changes what it may only read',
			'replaces the .git of its worktree',
			'moves its worktree',
			'reads a hidden file',
			'connects to a hidden socket',
			'signals a process outside',
		]) {
			expect(found).toEqual({missing: expect.stringContaining(trouble)});
		}
	});

	test('tells why nothing can be started', async () => {
		const refuses = sandboxExec('echo "sandbox_apply: Operation not permitted" >&2; exit 71');
		expect(await findSeatbelt(git, refuses)).toEqual({
			missing: 'Seatbelt can’t do it here (sandbox_apply: Operation not permitted)',
		});
		expect(await findSeatbelt(git, '/nowhere/sandbox-exec')).toEqual({
			missing: 'there is no /nowhere/sandbox-exec here',
		});
	});

	test('finds out a program in which nothing works', async () => {
		const closed = sandboxExec(`shift 2; PATH=/nowhere exec "$@"`);
		expect(await findSeatbelt(git, closed)).toEqual({
			missing: expect.stringContaining('can’t start git'),
		});
	});

	test.runIf(hasBubblewrap)('believes a program that does what the profile says', async () => {
		const program = sandboxExec(byBubblewrap);
		expect(await findSeatbelt(git, program)).toEqual({program, by: 'Seatbelt'});
	});

	test.runIf(platform() === 'darwin')('believes the one of this macOS', async () => {
		expect(await findSeatbelt(git)).toEqual({program: '/usr/bin/sandbox-exec', by: 'Seatbelt'});
	});
});
