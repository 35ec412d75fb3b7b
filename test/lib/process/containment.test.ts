import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {
	bound,
	type Containment,
	endThroughContainment,
	findContainment,
	groupsContainment,
} from '../../../src/lib/process/containment.ts';
import {programPath} from '../../../src/lib/process/find-program.ts';
import {startTime} from '../../../src/lib/process/processes.ts';
import {afterAllWith, processesWith} from '../../helpers/processes-with.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const best = await findContainment();
const containments: readonly Containment[] = [
	groupsContainment('for a test'),
	...(best.level === 'namespace' ? [best] : []),
];

/** Starts a shell script in a containment; its first line is waited for. */
const start = async (
	containment: Containment,
	script: string,
	input = '',
	environment: Readonly<Record<string, string>> = {},
) => {
	const [program = '', ...words] = [...containment.prefix, '/bin/sh', '-c', script];
	const cwd = temporaryFolder();
	const child = spawn(program, words, {
		cwd,
		detached: true,
		env: {PATH: process.env.PATH ?? '', TEST_VALUE: 'a b', 'dotted.name': '1', ...environment},
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const identity = {pid: child.pid ?? 0, startTime: startTime(child.pid ?? 0) ?? ''};
	const exited = once(child, 'exit');
	const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
	// One that ends at once doesn't read.
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	const next = async (): Promise<string> => (await lines.next()).value ?? '';
	const ended = async () => {
		const [code, signal] = await exited;
		return signal === null ? {code} : {signal};
	};

	return {cwd, identity, next, ended, child};
};

describe.each(containments)('contained by $level', containment => {
	test('a program has its input, folder, environment and user', async () => {
		const script =
			'read -r word; echo "$word|$PWD|$TEST_VALUE|$(id -u)|$(tr "\\0" "\\n" < /proc/$$/environ | grep -c dotted)"';
		const {cwd, next, ended} = await start(containment, script, 'hello\n');
		expect(await next()).toBe(`hello|${cwd}|a b|${process.getuid?.()}|1`);
		expect(await ended()).toEqual({code: 0});
	});

	test.each([0, 1, 7, 127, 137])('an exit code %i is told as it is', async code => {
		expect(await (await start(containment, `exit ${code}`)).ended()).toEqual({code});
	});

	test('an end by a signal is told, in a namespace as shells do', async () => {
		const told = containment.level === 'namespace' ? {code: 137} : {signal: 'SIGKILL'};
		expect(await (await start(containment, 'kill -9 $$')).ended()).toEqual(told);
	});

	test('a program may bring its work to an end when it is asked to go', async () => {
		const script =
			"trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done 2>/dev/null";
		const {identity, next, ended} = await start(containment, script);
		expect(await next()).toBe('ready');
		expect(await endThroughContainment(containment, identity, 10_000)).toBe(true);
		expect(await next()).toBe('bye');
		expect(await ended()).toEqual({code: 5});
	});

	test('a program that does not go is killed', async () => {
		const {identity, next, ended} = await start(
			containment,
			"trap '' TERM; echo ready; while :; do sleep 0.05; done",
		);
		await next();
		expect(await endThroughContainment(containment, identity, 50)).toBe(true);
		expect(await ended()).toEqual({signal: 'SIGKILL'});
	});

	test('a repository is nobody else’s there', async () => {
		const {next} = await start(
			containment,
			'git init --quiet . && git rev-parse --is-inside-work-tree',
		);
		expect(await next()).toBe('true');
	});
});

describe.runIf(best.level === 'namespace')('in a process namespace', () => {
	test.runIf(best.why !== 'by bwrap')('no two programs have the same process id', async () => {
		const both = await Promise.all([start(best, 'echo $$'), start(best, 'echo $$')]);
		const [one, other] = await Promise.all(both.map(({next}) => next()));
		expect(one).toMatch(/^\d+$/);
		expect(one).not.toBe(other);
	});

	test('a program needs nothing on its path to be started', async () => {
		const {next, ended} = await start(best, 'echo "$PATH"; exit 5', '', {PATH: '/nowhere'});
		expect(await next()).toBe('/nowhere');
		expect(await ended()).toEqual({code: 5});
	});

	test('whoever is orphaned is waited for, so that no dead process stays', async () => {
		const orphan = join(temporaryFolder(), 'orphan');
		// A dead process that nobody waited for can still be asked for.
		const script = `(sh -c 'echo $$ >${orphan}' &)
			until [ -s ${orphan} ]; do sleep 0.02; done
			while kill -0 "$(cat ${orphan})" 2>/dev/null; do sleep 0.02; done
			echo gone`;
		expect(await (await start(best, script)).next()).toBe('gone');
	});

	test('a folder is seen in the place of another one, there and nowhere else', async () => {
		const folder = temporaryFolder();
		const [own, common] = ['own', 'a common one'].map(name => join(folder, name));
		for (const path of [own ?? '', common ?? '']) {
			mkdirSync(path);
			writeFileSync(join(path, path === own ? 'mine' : 'theirs'), '');
		}

		const binds = [
			{from: join(folder, 'missing'), to: folder},
			{from: own ?? '', to: common ?? ''},
		];
		const script = `ls '${common}'; touch '${common}/new'; exit 5`;
		const {next, ended} = await start(bound(best, binds), script);
		expect(await next()).toBe('mine');
		expect(await ended()).toEqual({code: 5});
		expect(readdirSync(own ?? '')).toEqual(['mine', 'new']);
		expect(readdirSync(common ?? '')).toEqual(['theirs']);
	});

	test('a sandbox of the program’s own can be made', async () => {
		const [program = '', ...words] = best.prefix;
		const script = `${[program, ...words].map(quote).join(' ')} /bin/sh -c 'echo inner'`;
		expect(await (await start(best, script)).next()).toBe('inner');
	});

	test('all ends when whoever started it is killed, hidden or not', async () => {
		const sign = join(temporaryFolder(), 'sign');
		const script = `(setsid sh -c 'while :; do sleep 1; done; : ${sign}' &) ; echo ready; while :; do sleep 1; done; : ${sign}`;
		const starter = spawn(
			process.execPath,
			[
				'-e',
				`const {spawn} = require('node:child_process');
				const [program, ...words] = JSON.parse(process.argv[1]);
				spawn(program, words, {detached: true, stdio: ['pipe', 'inherit', 'inherit']});`,
				JSON.stringify([...best.prefix, '/bin/sh', '-c', script]),
			],
			{stdio: ['ignore', 'pipe', 'inherit']},
		);
		await once(createInterface({input: starter.stdout}), 'line');
		expect(processesWith(sign).length).toBeGreaterThan(1);
		starter.kill('SIGKILL');
		expect(await afterAllWith(sign)).toEqual([]);
	});
});

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

test('a machine without namespaces is told by the containment that is left, and why', async () => {
	expect(await findContainment('groups')).toEqual({
		level: 'groups',
		why: 'process namespaces are turned off',
		prefix: [],
		binds: false,
		fileSandbox: {missing: 'it is turned off'},
	});
});

test.skipIf('missing' in best.fileSandbox)(
	'a bubblewrap that can’t mount a descriptor makes boxes all the same, and that is known of it',
	async () => {
		const folder = temporaryFolder();
		const older = join(folder, 'bwrap');
		const bwrap = programPath('bwrap', process.env.PATH);
		const script = `for word; do [ "$word" = --ro-bind-fd ] && exit 1; done; exec '${bwrap}' "$@"`;
		writeFileSync(older, `#!/bin/sh\n${script}\n`, {mode: 0o755});
		vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
		onTestFinished(() => {
			vi.unstubAllEnvs();
		});
		const {fileSandbox} = await findContainment();
		expect(fileSandbox).toEqual({program: older, by: 'bubblewrap', closesNothing: true});
	},
);

test.runIf(best.why.startsWith('by unshare'))(
	'a machine that can only make namespaces shows no folder in the place of another one',
	async () => {
		const path = process.env.PATH;
		const tools = temporaryFolder();
		for (const name of ['unshare', 'setpriv', 'id']) {
			symlinkSync(programPath(name, path) ?? '', join(tools, name));
		}

		process.env.PATH = tools;
		const found = await findContainment().finally(() => {
			process.env.PATH = path;
		});
		expect([best, found]).toMatchObject([{binds: true}, {level: 'namespace', binds: false}]);
		expect(bound(found, [{from: tools, to: tools}])).toBe(found);
	},
);
