import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {openTerminal} from '../../test/helpers/terminal.ts';
import {buildWhenStale} from '../fresh.ts';
import {makePlayground, type Playground, program, type Story} from '../pictures/playground.ts';
import {printColumns} from './columns.ts';

/** Three agents that say and change nothing for an hour. */
const story: Story = {
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
				'    agent: {command: [sleep, "3600"], protocol: text}',
			]),
			'',
		].join('\n'),
};

/** Measures what a session costs in which nothing happens: its supervisor, the programs that this starts, and a screen. */
export const benchIdle = async (seconds: number): Promise<void> => {
	await buildWhenStale();
	await using place = await makePlayground(story);
	const run = spawn(process.execPath, [program, 'run', place.plan, '--headless'], {
		...{cwd: place.project, env: {...place.environment}, stdio: ['ignore', 'pipe', 'inherit']},
	});
	try {
		await once(createInterface({input: run.stdout}), 'line');
		await command(place, 'answer', 'p-1', 'approve');
		using terminal = openTerminal({
			...{program: process.execPath, words: [program], columns: 120, rows: 40},
			...{directory: place.project, environment: place.environment},
		});
		await terminal.until('AGT-003');
		// Every look is quiet, and every second of the first minute is shown, by then.
		await pass(100);
		const shown = terminal.written().length;
		const watched = [
			{name: 'supervisor', pid: supervisorIn(place)},
			{name: 'screen', pid: terminal.process.pid},
			{name: 'run --headless', pid: run.pid ?? 0},
		];
		const before = watched.map(({pid}) => usedBy(pid));
		const started = startedOnMachine();
		await pass(seconds);
		const rows = watched.map(({name, pid}, index) => {
			const now = usedBy(pid);
			const share = (key: 'own' | 'children') =>
				`${((now[key] - (before[index]?.[key] ?? 0)) / seconds).toFixed(2)} %`;
			return [name, share('own'), share('children'), `${now.megabytes.toFixed(0)} MB`];
		});
		console.log(`Three silent agents for ${seconds} s.\n`);
		printColumns(['', 'of a core', 'its programs', 'memory'], rows);
		console.log(
			`\n${terminal.written().length - shown} bytes to the terminal; ${startedOnMachine() - started} processes started on this machine.`,
		);
		terminal.type('q');
		await terminal.exited;
	} finally {
		const ended = once(run, 'exit');
		await command(place, 'stop');
		await ended;
	}
};

const pass = (seconds: number): Promise<void> =>
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

/** Returns the process of the place's supervisor, which has its state folder in its environment. */
const supervisorIn = ({environment}: Playground): number => {
	const mark = `DELEGATE_TUI_STATE=${environment.DELEGATE_TUI_STATE}`;
	const found = readdirSync('/proc').find(pid => {
		try {
			return (
				readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('supervise') &&
				readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)
			);
		} catch {
			return false;
		}
	});
	return Number(found);
};

/** Returns processor time in hundredths of a second, with that of children that have ended, and memory. */
const usedBy = (pid: number): {own: number; children: number; megabytes: number} => {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	const at = (index: number): number => Number(fields[index]);
	return {
		own: at(11) + at(12),
		children: at(13) + at(14),
		megabytes: (at(21) * 4096) / 1e6,
	};
};

const startedOnMachine = (): number =>
	Number(/^processes (\d+)/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]);
