/*
Runs a session for a while whose agents are killed one after another and restarted, and checks that its resources return
to their initial amounts: `npm run soak` for five minutes, `npm run soak -- --deep` for eight hours, `npm run soak -- MINUTES`.
Memory, open files and processes are measured before each kill and stored in `docs/bench`, as a line of JSON each, and as a plot.
*/

import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {readdir} from 'node:fs/promises';
import {createServer} from 'node:net';
import {promisify} from 'node:util';
import {listMarked, type Survivor} from '../src/lib/process/kill-stragglers.ts';
import {processEnvironment} from '../src/lib/process/process-table.ts';
import {send} from '../src/lib/process/processes.ts';
import {printColumns} from './bench/columns.ts';
import {pass, sessionOf, startSession, supervisorIn} from './bench/idle.ts';
import {keep} from './bench/keep.ts';
import {linesOf} from './bench/lines.ts';
import {statOf} from './bench/measure.ts';
import {buildWhenStale} from './fresh.ts';
import {makePlayground, type Playground, program} from './pictures/playground.ts';

/** Resources of a session at one moment. */
type Held = {
	readonly seconds: number;
	readonly megabytes: number;
	readonly files: number;
	readonly processes: number;
	/** Number of refs in the person's repository, where one ref keeps the session's work until it is merged or removed. */
	readonly refs: number;
	readonly worktrees: number;
};

const agents = ['AGT-001', 'AGT-002', 'AGT-003'];

/** Agents that report their progress and change a file of their folder, repeatedly. */
const busy = sessionOf([
	'node',
	'-e',
	`
const folder = {'AGT-001': 'a', 'AGT-002': 'b', 'AGT-003': 'c'}[process.env.DELEGATE_AGENT];
let step = 0;
setInterval(() => {
	step++;
	require('node:fs').writeFileSync(folder + '/' + folder + '.txt', step + ' ' + process.pid);
	console.log('PROGRESS: Work - step ' + step);
}, 500);
`.replaceAll(/\s*\n\s*/g, ' '),
]);

const soak = async (minutes: number): Promise<boolean> => {
	await buildWhenStale();
	const port = await freePort();
	await using place = await makePlayground(busy, {NODE_OPTIONS: `--inspect-port=${port}`});
	const looks: Held[] = [];
	{
		await using session = await startSession(place);
		const supervisor = supervisorIn(place);
		using debugged = await openInspector(supervisor, port);
		const since = performance.now();
		for (let turn = 0; performance.now() - since < minutes * 60_000; turn++) {
			const agent = agents[turn % agents.length] ?? '';
			await until(`all agents at work before kill ${turn + 1}`, async () =>
				(await statesOf(place)).every(state => state === 'RUNNING'),
			);
			await debugged.collectGarbage();
			const seconds = (performance.now() - since) / 1000;
			looks.push({seconds, ...(await lookAt(place, supervisor, session.pid))});
			for (const {pid} of processesIn(place)) {
				if (processEnvironment(pid).includes(`DELEGATE_AGENT=${agent}`)) {
					send(pid, 'SIGKILL');
				}
			}

			await until(
				`${agent} seen as gone`,
				async () => (await statesOf(place))[turn % agents.length] !== 'RUNNING',
			);
			await ask(place, 'agent', agent, 'restart');
		}
	}

	await until('no process left', async () => processesIn(place).length === 0);
	return tell(looks);
};

const ask = async (place: Playground, ...words: readonly string[]): Promise<string> => {
	const {stdout} = await promisify(execFile)(process.execPath, [program, ...words], {
		...{cwd: place.project, env: {...place.environment}, maxBuffer: 1e8},
	});
	return stdout;
};

const statesOf = async (place: Playground): Promise<readonly string[]> => {
	const status: {readonly agents: readonly {readonly state: string}[]} = JSON.parse(
		await ask(place, 'status', '--json'),
	);
	return status.agents.map(({state}) => state);
};

/** Waits for a condition, and prints its name if that takes longer than two minutes. */
const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
	for (const since = performance.now(); !(await isSo()); await pass(0.5)) {
		if (performance.now() - since > 120_000) {
			throw new Error(`Waited two minutes for this: ${what}`);
		}
	}
};

const lookAt = async (
	place: Playground,
	pid: number,
	run: number,
): Promise<Omit<Held, 'seconds'>> => ({
	megabytes: (statOf(pid)(21) * 4096) / 1e6,
	files: (await readdir(`/proc/${pid}/fd`)).length,
	processes: processesIn(place).filter(({pid}) => pid !== run).length,
	...(await repositoryOf(place)),
});

const freePort = async (): Promise<number> => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	return typeof address === 'object' ? (address?.port ?? 0) : 0;
};

/** Opens the inspector of a Node.js process, to collect its garbage: the remaining memory is in use. */
const openInspector = async (pid: number, port: number) => {
	process.kill(pid, 'SIGUSR1');
	let url = '';
	await until('the inspector of the supervisor', async () => {
		const targets = await fetch(`http://127.0.0.1:${port}/json/list`).then(
			async answer => (await answer.json()) as readonly {webSocketDebuggerUrl: string}[],
			() => [],
		);
		url = targets[0]?.webSocketDebuggerUrl ?? '';
		return url !== '';
	});
	const socket = new WebSocket(url);
	await once(socket, 'open');
	let id = 0;
	return {
		collectGarbage: async () => {
			const answered = once(socket, 'message');
			socket.send(JSON.stringify({id: ++id, method: 'HeapProfiler.collectGarbage'}));
			await answered;
		},
		[Symbol.dispose]: () => socket.close(),
	};
};

const repositoryOf = async ({project, environment}: Playground) => {
	const linesOf = async (...words: readonly string[]): Promise<number> => {
		const {stdout} = await promisify(execFile)('git', words, {cwd: project, env: {...environment}});
		return stdout.split('\n').length - 1;
	};

	return {refs: await linesOf('for-each-ref'), worktrees: await linesOf('worktree', 'list')};
};

const processesIn = ({environment}: Playground): readonly Survivor[] =>
	listMarked(`HOME=${environment.HOME}`);

/** Maximum ratio of the median in the last third of the measurements to that in the first: the initial values may be low, of a supervisor that has loaded little, and of an agent that has not started all of its processes. A leak with each kill would add hundreds, and one program may be running at any measurement. */
const most = {megabytes: 1.1, files: 1.2, processes: 1.2, refs: 1, worktrees: 1};

/** Prints and stores the measurements, and returns whether the resources returned to their initial amounts. */
const tell = async (looks: readonly Held[]): Promise<boolean> => {
	const third = Math.ceil(looks.length / 3);
	const held = (Object.keys(most) as (keyof typeof most)[]).map(what => {
		const median = (some: readonly Held[]): number =>
			some.map(look => look[what]).toSorted((one, other) => one - other)[some.length >> 1] ??
			Number.NaN;
		const [first, last] = [median(looks.slice(0, third)), median(looks.slice(-third))];
		return {what, first, last, holds: last <= first * most[what]};
	});
	console.log(`${looks.length} kills; all processes are gone with the session.\n`);
	printColumns(
		['', 'at first', 'at the end', 'holds'],
		held.map(({what, first, last, holds}) => [
			...[what, first.toFixed(0), last.toFixed(0), holds ? 'yes' : 'no'],
		]),
	);
	const lines = looks.map(look => `${JSON.stringify(look)}\n`);
	await keep({'soak.ndjson': lines.join(''), 'soak.svg': plotOf(looks)});
	return held.every(({holds}) => holds);
};

/** Draws the measurements as shares of the first ones. */
const plotOf = (looks: readonly Held[]): string => {
	const minutes = looks.map(({seconds}) => seconds / 60);
	return linesOf(
		`Held by a session whose agents are killed ${looks.length} times in ${minutes.at(-1)?.toFixed(0)} minutes, beside the start`,
		minutes,
		(['megabytes', 'files', 'processes'] as const).map(what => ({
			label: what,
			shares: looks.map(look => look[what] / (looks[0]?.[what] ?? 1)),
		})),
	);
};

const [length = '5', ...others] = process.argv.slice(2);
const minutes = length === '--deep' ? 480 : Number(length);
if (!(minutes > 0) || others.length > 0) {
	console.error('Usage: npm run soak [-- MINUTES | --deep]');
	process.exitCode = 2;
} else if (!(await soak(minutes))) {
	process.exitCode = 1;
}
