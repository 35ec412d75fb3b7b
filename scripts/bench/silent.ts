import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {printTable} from '../../src/lib/text/markdown-table.ts';
import {openTerminal} from '../../test/helpers/terminal.ts';
import {buildWhenStale} from '../fresh.ts';
import {makePlayground, program} from '../pictures/playground.ts';
import {drawnIn, pass, silent, startSession, supervisorIn} from './idle.ts';
import {figures, keep, occasion} from './keep.ts';

/** System calls of a process and its children while nothing happens. */
type Asked = {
	readonly name: string;
	/** System calls by name, as `strace -c` counts them. */
	readonly calls: Readonly<Record<string, number>>;
	/** Number of times a thread went to sleep, which is that of wake-ups. */
	readonly wakeUps: number;
};

/** Counts with `strace` the system calls of an idle session's processes: prints a table, and stores it in `docs/bench`. */
export const benchSilent = async (seconds: number): Promise<void> => {
	await buildWhenStale();
	await using place = await makePlayground(silent);
	await using session = await startSession(place);
	using terminal = openTerminal({
		...{program: process.execPath, words: [program], columns: 120, rows: 40},
		...{directory: place.project, environment: place.environment},
	});
	await terminal.until('AGT-003');
	// By then no look prints any more, and the seconds of the first minute have been shown.
	await pass(100);
	const folder = await mkdtemp(join(tmpdir(), 'strace-'));
	const watched = [
		{name: 'supervisor', pid: supervisorIn(place)},
		{name: 'screen', pid: terminal.process.pid},
		{name: 'run --headless', pid: session.pid},
	];
	// A traced process sleeps at each system call, so sleeps are counted before.
	const sleeps = await Promise.all(watched.map(({pid}) => sleepsOf(pid)));
	const {frames, bytes} = await drawnIn(terminal, seconds);
	const asked = await Promise.all(
		watched.map(async ({name, pid}, index): Promise<Asked> => {
			const wakeUps = (await sleepsOf(pid)) - (sleeps[index] ?? 0);
			return {name, wakeUps, calls: await callsOf(pid, seconds, join(folder, String(pid)))};
		}),
	);
	await rm(folder, {recursive: true});
	terminal.type('q');
	await terminal.exited;
	const table = printTable([
		['', 'wake-ups', 'processes started', 'system calls', 'most of them'],
		...asked.map(({name, calls, wakeUps}) => [
			...[name, String(wakeUps), String(calls.execve ?? 0), String(sumOf(calls))],
			mostOf(calls),
		]),
	]);
	const written = `${frames} frames, ${bytes} bytes to the terminal in ${seconds} s.`;
	console.log(`${table}\n${written}`);
	const {date, machine} = occasion();
	await keep({
		'silent.json': figures({date, machine, seconds, frames, bytes, asked}),
		'silent.md': `# What a silent minute asks of the system

Three agents that say and change nothing, and a screen that is open on them, on ${date}: ${machine}. \`npm run bench -- silent\`
writes this page: \`strace -f -c\` counts the calls of each process and of what it starts, and the system itself how often one of its
threads was woken, in a minute before that.

${table}
${written}
`,
	});
};

const callsOf = async (pid: number, seconds: number, file: string): Promise<Asked['calls']> => {
	const strace = spawn('strace', ['-f', '-c', '-U', 'calls,name', '-o', file, '-p', `${pid}`], {
		stdio: 'ignore',
	});
	await once(strace, 'spawn');
	await pass(seconds);
	strace.kill('SIGINT');
	await once(strace, 'exit');
	const lines = (await readFile(file, 'utf8')).matchAll(/^ *(\d+) (\w+)$/gm);
	const counts = Array.from(lines, ([, count, call = '']) => [call, Number(count)] as const);
	return Object.fromEntries(counts.filter(([call]) => call !== 'total'));
};

/** Returns the number of voluntary sleeps of a process's threads. */
const sleepsOf = async (pid: number): Promise<number> => {
	const threads = await readdir(`/proc/${pid}/task`);
	const counts = await Promise.all(
		threads.map(async thread => {
			const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8');
			return Number(/^voluntary_ctxt_switches:\t(\d+)/m.exec(status)?.[1]);
		}),
	);
	return counts.reduce((sum, count) => sum + count, 0);
};

const sumOf = (calls: Asked['calls']): number =>
	Object.values(calls).reduce((sum, count) => sum + count, 0);

const mostOf = (calls: Asked['calls']): string =>
	Object.entries(calls)
		.toSorted(([, one], [, other]) => other - one)
		.slice(0, 5)
		.map(([call, count]) => `${call} ${count}`)
		.join(', ');
