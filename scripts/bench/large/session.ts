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
	/** Least time from a plan's approval to the last worktree, and of three parallel `git worktree add`, in seconds. */
	readonly start: number;
	readonly gitStart: number;
	/** Time from the last review to the waiting approval, in seconds. */
	readonly toApproval: number;
	/** Maximum memory of all our processes meanwhile, in MB. */
	readonly memory: number;
	/** Memory of the supervisor a minute later, in MB. */
	readonly later: number;
};

/**
Runs sessions in a clone of a repository: some only until their worktrees are ready, in turn with git's, and one to its end.

No worktree is removed meanwhile: ext4 avoids the inodes of recently deleted files for minutes, and looks for others one by one. After the removal of three worktrees of 10,000 files, the same `git worktree add` took thirty times as long.
*/
export const measureSession = async (
	folder: string,
	{gitDir, others}: History,
): Promise<SessionCosts> => {
	const project = join(folder, 'project');
	await mkdir(folder, {recursive: true});
	await writeFile(
		join(folder, 'gitconfig'),
		'[user]\n\tname = Ada Person\n\temail = ada@example.org\n',
	);
	const env = {
		PATH: process.env.PATH ?? '',
		...{HOME: folder, XDG_CACHE_HOME: join(folder, 'cache')},
		...{GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1'},
	};
	await execa('git', ['clone', '--quiet', '--shared', gitDir, project], {env, extendEnv: false});
	const plan = join(folder, 'plan.yaml');
	await writeFile(plan, planOf(others));
	const floors: number[] = [];
	const starts: number[] = [];
	const places = {project, plan, count: others.length};
	for (const round of [1, 2, 3]) {
		floors.push(await addWorktrees(join(folder, `trees-${round}`), places, env));
		const own = {...env, DELEGATE_TUI_STATE: join(folder, `state-${round}`)};
		starts.push(await withSession(places, own, async ({start}) => start));
	}

	const own = {...env, DELEGATE_TUI_STATE: join(folder, 'state')};
	const costs = await withSession(places, own, session => costsOf(session, places, own));
	return {...costs, start: Math.min(...starts), gitStart: Math.min(...floors)};
};

type Places = {
	readonly project: string;
	readonly plan: string;
	/** Number of worktrees. */
	readonly count: number;
};

type Environment = Readonly<Record<string, string>>;

/** Returns the time of parallel `git worktree add`. Some fail, since git reads what another one is still writing; then others are made. */
const addWorktrees = async (
	folder: string,
	{project, count}: Places,
	env: Environment,
	attempt = 1,
): Promise<number> => {
	// What was written before would otherwise still go to the disk meanwhile.
	await execa('sync');
	const began = performance.now();
	const added = await Promise.allSettled(
		Array.from({length: count}, (_, index) =>
			execa('git', ['worktree', 'add', '--quiet', '--detach', `${folder}-${attempt}-${index}`], {
				...{cwd: project, env, extendEnv: false},
			}),
		),
	);
	const took = (performance.now() - began) / 1000;
	const failed = added.find(one => one.status === 'rejected');
	if (failed !== undefined && attempt === 5) {
		throw failed.reason;
	}

	return failed === undefined
		? took
		: addWorktrees(folder, {project, count, plan: ''}, env, attempt + 1);
};

type Running = {
	/** Time from the approval to the last worktree, in seconds. */
	readonly start: number;
	/** Waits until so many events of a kind were written since the session began. Returns the time of the last one, in seconds. */
	readonly until: (kind: Event['kind'], times?: number) => Promise<number>;
};

/** Starts a session, and stops it after its use. */
const withSession = async <Result>(
	{project, plan, count}: Places,
	env: Environment,
	use: (session: Running) => Promise<Result>,
): Promise<Result> => {
	await execa('sync');
	const run = spawn(process.execPath, [program, 'run', plan, '--headless', '--yes', '--json'], {
		...{cwd: project, env, stdio: ['ignore', 'pipe', 'inherit']},
	});
	try {
		const told = createInterface({input: run.stdout})[Symbol.asyncIterator]();
		const seen = new Map<string, number>();
		let at = 0;
		const until = async (kind: Event['kind'], times = 1): Promise<number> => {
			while ((seen.get(kind) ?? 0) < times) {
				const next = await told.next();
				if (next.done) {
					throw new Error('The session ended before its time.');
				}

				const event: Event = JSON.parse(next.value);
				seen.set(event.kind, (seen.get(event.kind) ?? 0) + 1);
				at = Date.parse(event.at) / 1000;
			}

			return at;
		};
		// As the journal says, since a busy machine lets us read an event late.
		const began = await until('session.started');
		return await use({start: (await until('workspace.prepared', count)) - began, until});
	} finally {
		await execa(process.execPath, [program, 'stop'], {cwd: project, env, reject: false});
	}
};

/** Carries a session to its end. */
const costsOf = async (
	{until}: Running,
	{project, count}: Places,
	env: Environment,
): Promise<Omit<SessionCosts, 'start' | 'gitStart'>> => {
	const answer = (item: string, choice: string) =>
		execa(process.execPath, [program, 'answer', item, choice], {cwd: project, env});
	const ours = () => listMarked(`DELEGATE_TUI_STATE=${env.DELEGATE_TUI_STATE}`);
	await until('turn.ended', count);
	const reviews = await itemsIn(project, env, 'review', count);
	const stop = watchMemory(() => ours().map(({pid}) => pid));
	for (const item of reviews) {
		await answer(item, 'merge');
	}

	const from = performance.now();
	const [approval = ''] = await itemsIn(project, env, 'approval', 1);
	const toApproval = (performance.now() - from) / 1000;
	const memory = stop();
	await wait(60_000);
	const supervisors = ours().filter(({command}) => command.split(' ').includes('supervise'));
	const later = memoryOf(supervisors.map(({pid}) => pid));
	await answer(approval, 'approve');
	await until('session.ended');
	return {toApproval, memory, later};
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
