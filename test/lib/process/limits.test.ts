import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findControlGroups, limited} from '../../../src/lib/process/limits.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const autogroup = '/proc/self/autogroup';
const priority = () => existsSync(autogroup) && readFileSync(autogroup, 'utf8');
const before = priority();
const controlGroups = await findControlGroups();
if (controlGroups === undefined) {
	console.warn(
		'Skipped, since no control group can be made here: limits of all processes together',
	);
}

/** A session of its own, whose priority may change. */
const apart = existsSync(autogroup) ? ['setsid', '--wait'] : [];

const run = (prefix: readonly string[], script: string) => {
	const cwd = temporaryFolder();
	const [program = '', ...words] = [...apart, ...prefix, 'sh', '-c', script];
	const {status, stdout} = spawnSync(program, words, {cwd, encoding: 'utf8'});
	return {cwd, status, stdout};
};

const uncontained = {level: 'groups', prefix: []} as const;

const fills = (mebibytes: number): string =>
	`${process.execPath} -e 'Buffer.alloc(${mebibytes} * 2 ** 20, 1)' 2> /dev/null && echo filled`;

test('a process that is limited by itself gets no more memory, and writes no longer file', () => {
	const {prefix} = limited(uncontained, 'one', {memory: 2 ** 29, file: 2 ** 16}).words;
	expect(run(prefix, fills(16)).stdout).toBe('filled\n');
	expect(run(prefix, fills(2048)).stdout).toBe('');
	const {cwd} = run(prefix, 'head -c 1000000 /dev/zero > file');
	expect(statSync(join(cwd, 'file')).size).toBe(2 ** 16);
});

test('a command goes behind all that people wait for, and has no other limit where none is named', () => {
	const {prefix} = limited(uncontained, 'none', {memory: 2 ** 60}).words;
	const script = 'ulimit -d; ulimit -f; nice';
	expect(run(prefix, script).stdout).toBe(
		run([], script).stdout.replace(/-?\d+\n$/, own => `${Math.min(19, Number(own) + 10)}\n`),
	);
	if (existsSync(autogroup)) {
		expect(run(prefix, `cat ${autogroup}`).stdout).toContain(' nice 10\n');
	}

	// Whoever looks for control groups goes behind nobody.
	expect(priority()).toBe(before);
});

test('a command is limited also where it has a network of its own', () => {
	const contained = {...uncontained, ownNetwork: ['env', 'NETWORK=own']};
	const {ownNetwork = []} = limited(contained, 'apart', {file: 2 ** 16}).words;
	expect(run(ownNetwork, 'echo $NETWORK; ulimit -f').stdout).toBe('own\n128\n');
});

test('a control group that can’t be made is done without', () => {
	const missing = {...uncontained, controlGroups: join(temporaryFolder(), 'missing')};
	expect(limited(missing, 'none', {}).words).toEqual(limited(uncontained, 'none', {}).words);
});

test.skipIf(controlGroups === undefined)(
	'all processes of a control group together get no more, it tells what was refused, and it is gone with them',
	() => {
		const contained = {...uncontained, controlGroups: controlGroups ?? ''};
		const many = 'for i in $(seq 40); do sleep 1 & done; wait; echo started';
		const held = limited(contained, 'many', {processes: 2});
		run(held.words.prefix, many);
		expect(held.refused()).toEqual(['processes']);
		held.change({processes: 20});
		expect(run(held.words.prefix, many).stdout).toBe('started\n');
		held.release();

		const tight = limited(contained, 'tight', {memory: 2 ** 27});
		expect(tight.refused()).toEqual([]);
		expect(run(tight.words.prefix, `${fills(64)} & ${fills(96)}; wait`).stdout).not.toContain(
			'filled\nfilled',
		);
		expect(tight.refused()).toEqual(['memory']);
		for (const [name, amount] of [
			['memory.swap.max', '0\n'],
			['cpu.weight', '10\n'],
		] as const) {
			// Only where the kernel has it.
			const file = join(controlGroups ?? '', `delegate-tui-${process.pid}-tight`, name);
			expect(existsSync(file) ? readFileSync(file, 'utf8') : amount).toBe(amount);
		}

		tight.release();
		expect(existsSync(join(controlGroups ?? '', `delegate-tui-${process.pid}-tight`))).toBe(false);
	},
);
