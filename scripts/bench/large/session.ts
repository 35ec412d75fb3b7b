import {spawn} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as wait} from 'node:timers/promises';
import {execa} from 'execa';
import type {Event} from '../../../src/events/event.ts';
import {listMarked} from '../../../src/lib/process/kill-stragglers.ts';
import {program} from '../../pictures/playground.ts';
import type {History} from './history.ts';
import {memoryOf, watchMemory} from './memory.ts';

/** Costs of a session of three agents that change a file each. */
export type SessionCosts = {
	/** Time from the plan's approval to the last worktree, and time of three parallel `git worktree add`, in seconds. */
	readonly start: number;
	readonly gitStart: number;
	/** Time from the last review to the waiting approval, in seconds. */
	readonly toApproval: number;
	/** Maximum memory of all our processes meanwhile, in MB. */
	readonly memory: number;
	/** Memory of the supervisor a minute later, in MB. */
	readonly later: number;
};

/** Runs a session in a clone of a repository. */
export const measureSession = async (
	folder: string,
	{gitDir, others}: History,
): Promise<SessionCosts> => {
	const project = join(folder, 'project');
	const state = join(folder, 'state');
	await mkdir(folder, {recursive: true});
	await writeFile(
		join(folder, 'gitconfig'),
		'[user]\n\tname = Ada Person\n\temail = ada@example.org\n',
	);
	const env = {
		PATH: process.env.PATH ?? '',
		...{HOME: folder, DELEGATE_TUI_STATE: state, XDG_CACHE_HOME: join(folder, 'cache')},
		...{GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1'},
	};
	await execa('git', ['clone', '--quiet', '--shared', gitDir, project], {env, extendEnv: false});
	await execa('sync');
	const floor = await seconds(() =>
		Promise.all(
			others.map((_, index) =>
				execa('git', ['worktree', 'add', '--quiet', '--detach', join(folder, `tree${index}`)], {
					...{cwd: project, env, extendEnv: false},
				}),
			),
		),
	);
	for (const [index] of others.entries()) {
		const words = ['worktree', 'remove', '--force', join(folder, `tree${index}`)];
		await execa('git', words, {cwd: project, env, extendEnv: false});
	}

	// What git wrote would otherwise still go to the disk while our worktrees are made.
	await execa('sync');
	const plan = join(folder, 'plan.yaml');
	await writeFile(plan, planOf(others));
	const run = spawn(process.execPath, [program, 'run', plan, '--headless', '--yes', '--json'], {
		...{cwd: project, env, stdio: ['ignore', 'pipe', 'inherit']},
	});
	try {
		const told = createInterface({input: run.stdout})[Symbol.asyncIterator]();
		const until = (holds: (event: Event) => boolean) => untilEvent(told, holds);
		const answer = (item: string, choice: string) =>
			execa(process.execPath, [program, 'answer', item, choice], {cwd: project, env});
		await until(({kind}) => kind === 'session.started');
		const began = performance.now();
		let ready = 0;
		let ended = 0;
		let start = 0;
		await until(({kind}) => {
			ready += kind === 'workspace.prepared' ? 1 : 0;
			ended += kind === 'turn.ended' ? 1 : 0;
			start ||= ready === others.length ? (performance.now() - began) / 1000 : 0;
			return ended === others.length;
		});
		const reviews = await itemsIn(project, env, 'review', others.length);
		const ours = () => listMarked(`DELEGATE_TUI_STATE=${state}`).map(({pid}) => pid);
		const stop = watchMemory(ours);
		for (const item of reviews) {
			await answer(item, 'merge');
		}

		const from = performance.now();
		const [approval = ''] = await itemsIn(project, env, 'approval', 1);
		const toApproval = (performance.now() - from) / 1000;
		const memory = stop();
		await wait(60_000);
		const later = memoryOf(
			listMarked(`DELEGATE_TUI_STATE=${state}`)
				.filter(({command}) => command.split(' ').includes('supervise'))
				.map(({pid}) => pid),
		);
		await answer(approval, 'approve');
		await until(({kind}) => kind === 'session.ended');
		return {start, gitStart: floor, toApproval, memory, later};
	} finally {
		await execa(process.execPath, [program, 'stop'], {cwd: project, env, reject: false});
	}
};

/** Waits until a number of items of a kind wait for a person. */
const itemsIn = async (
	cwd: string,
	env: NodeJS.ProcessEnv,
	kind: string,
	count: number,
): Promise<readonly string[]> => {
	for (;;) {
		const {stdout} = await execa(process.execPath, [program, 'inbox', '--json'], {cwd, env});
		const items = itemsOf(JSON.parse(stdout)).filter(item => item.kind === kind);
		if (items.length >= count) {
			return items.map(({id}) => id);
		}

		await wait(50);
	}
};

type Listed = {readonly id: string; readonly kind: string};

const itemsOf = (
	told: readonly Listed[] | {readonly items: readonly Listed[]},
): readonly Listed[] => ('items' in told ? told.items : told);

const untilEvent = async (
	told: AsyncIterator<string>,
	holds: (event: Event) => boolean,
): Promise<void> => {
	for (let next = await told.next(); !next.done; next = await told.next()) {
		if (holds(JSON.parse(next.value))) {
			return;
		}
	}

	throw new Error('The session ended before its time.');
};

const planOf = (files: readonly string[]): string =>
	[
		'version: 1',
		'task: Change three files',
		'agents:',
		...files.flatMap((file, index) => [
			`  - id: AGT-00${index + 1}`,
			`    subtask: Change ${file}`,
			`    scope: {allowed: [${JSON.stringify(file)}]}`,
			`    agent: {command: ${JSON.stringify(['sh', '-c', workOf(file)])}, protocol: text}`,
		]),
		'',
	].join('\n');

const workOf = (file: string): string =>
	[
		`echo 'export const own = 1;' >>${file}`,
		`printf '[COMPLETION_REPORT]\\nstatus: success\\ndeliverables: [%s]\\n[/COMPLETION_REPORT]\\n' ${file}`,
	].join('\n');

/** Returns the time of some work, in seconds. */
export const seconds = async (work: () => Promise<unknown>): Promise<number> => {
	const began = performance.now();
	await work();
	return (performance.now() - began) / 1000;
};
