import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {listMarked} from '../../src/lib/process/kill-stragglers.ts';
import {openTerminal, type TestTerminal} from '../../test/helpers/terminal.ts';
import {buildWhenStale} from '../fresh.ts';
import {makePlayground, type Playground, program, type Story} from '../pictures/playground.ts';
import {printColumns} from './columns.ts';
import {statOf} from './measure.ts';

/** Returns a story with three agents that run this command, each in its own folder. */
export const sessionOf = (command: readonly string[]): Story => ({
	files: {
		'.delegate-tui.yaml': 'docs: false\n',
		'a/a.txt': 'a\n',
		'b/b.txt': 'b\n',
		'c/c.txt': 'c\n',
	},
	scenes: {},
	plan: () =>
		[
			'version: 1',
			'task: Wait',
			'agents:',
			...['a', 'b', 'c'].flatMap((folder, index) => [
				`  - id: AGT-00${index + 1}`,
				`    subtask: Wait in ${folder}`,
				`    scope: {allowed: ["${folder}/**"]}`,
				`    agent: {command: ${JSON.stringify(command)}, protocol: text}`,
			]),
			'',
		].join('\n'),
});

/** Three agents that print and change nothing for an hour. */
export const silent = sessionOf(['sleep', '3600']);

/** Measures the costs of an idle session: its supervisor, that one's children, and a screen. */
export const benchIdle = async (seconds: number): Promise<void> => {
	await buildWhenStale();
	await using place = await makePlayground(silent);
	await using session = await startSession(place);
	const {parts, frames, bytes, started} = await measureIdle(place, session.pid, seconds);
	console.log(`Three silent agents for ${seconds} s.\n`);
	printColumns(
		['', 'of a core', 'its programs', 'memory'],
		parts.map(({name, own, children, megabytes}) => [
			...[name, `${own.toFixed(2)} %`, `${children.toFixed(2)} %`, `${megabytes.toFixed(0)} MB`],
		]),
	);
	console.log(
		`\n${frames} frames, ${bytes} bytes to the terminal; ${started} processes started on this machine.`,
	);
};

/** Starts the session of a place, which ends when the result is disposed; its plan is approved unless it should wait for that. */
export const startSession = async (
	place: Playground,
	plan: 'approved' | 'unapproved' = 'approved',
) => {
	const run = spawn(process.execPath, [program, 'run', place.plan, '--headless'], {
		...{cwd: place.project, env: {...place.environment}, stdio: ['ignore', 'pipe', 'inherit']},
	});
	await once(createInterface({input: run.stdout}), 'line');
	if (plan === 'approved') {
		await command(place, 'answer', 'p-1', 'approve');
	}

	return {
		pid: run.pid ?? 0,
		[Symbol.asyncDispose]: async () => {
			const ended = once(run, 'exit');
			await command(place, 'stop');
			await ended;
		},
	};
};

/** Costs of an idle session, in percent of a core. */
export type Idle = {
	readonly parts: readonly {
		readonly name: string;
		readonly own: number;
		readonly children: number;
		readonly megabytes: number;
	}[];
	/** Number of drawn frames, and of bytes written to the terminal. */
	readonly frames: number;
	readonly bytes: number;
	/** Number of processes started on this machine by anyone. */
	readonly started: number;
};

/** Watches an idle session, and a screen on it, for some seconds. */
export const measureIdle = async (
	place: Playground,
	run: number,
	seconds: number,
): Promise<Idle> => {
	using terminal = openTerminal({
		...{program: process.execPath, words: [program], columns: 120, rows: 40},
		...{directory: place.project, environment: place.environment},
	});
	await terminal.until('AGT-003');
	// By then no look prints any more, the seconds of the first minute have been shown, and it was told that each agent is silent.
	await pass(130);
	const watched = [
		{name: 'supervisor', pid: supervisorIn(place)},
		{name: 'screen', pid: terminal.process.pid},
		{name: 'run --headless', pid: run},
	];
	const before = watched.map(({pid}) => usedBy(pid));
	const processes = startedOnMachine();
	const drawn = await drawnIn(terminal, seconds);
	const parts = watched.map(({name, pid}, index) => {
		const now = usedBy(pid);
		const share = (key: 'own' | 'children') => (now[key] - (before[index]?.[key] ?? 0)) / seconds;
		return {name, own: share('own'), children: share('children'), megabytes: now.megabytes};
	});
	const started = startedOnMachine() - processes;
	terminal.type('q');
	await terminal.exited;
	return {parts, ...drawn, started};
};

/** Waits for some seconds, and counts the frames: one may be written in several pieces, so a quarter of a second without any is between two. */
export const drawnIn = async (
	{written}: TestTerminal,
	seconds: number,
): Promise<Pick<Idle, 'frames' | 'bytes'>> => {
	const before = written().length;
	let [frames, at, isDrawing] = [0, before, false];
	for (let quarter = 0; quarter < 4 * seconds; quarter++) {
		await pass(0.25);
		const wasDrawing = isDrawing;
		isDrawing = written().length > at;
		frames += Number(isDrawing && !wasDrawing);
		at = written().length;
	}

	return {frames, bytes: at - before};
};

/** Waits for some seconds. */
export const pass = (seconds: number): Promise<void> =>
	new Promise(resolve => {
		setTimeout(resolve, seconds * 1000);
	});

const command = async (
	{project, environment}: Playground,
	...words: readonly string[]
): Promise<void> => {
	const started = spawn(process.execPath, [program, ...words], {
		...{cwd: project, env: {...environment}, stdio: 'ignore'},
	});
	await once(started, 'exit');
};

/** Returns the process of the place's supervisor, by the state folder in its environment. */
export const supervisorIn = ({environment}: Playground): number =>
	listMarked(`DELEGATE_TUI_STATE=${environment.DELEGATE_TUI_STATE}`).find(({command}) =>
		command.split(' ').includes('supervise'),
	)?.pid ?? Number.NaN;

/** Returns CPU time in hundredths of a second, including ended children, and memory. */
export const usedBy = (pid: number): {own: number; children: number; megabytes: number} => {
	const at = statOf(pid);
	return {
		own: at(11) + at(12),
		children: at(13) + at(14),
		megabytes: (at(21) * 4096) / 1e6,
	};
};

const startedOnMachine = (): number =>
	Number(/^processes (\d+)/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
