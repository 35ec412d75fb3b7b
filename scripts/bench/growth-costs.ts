import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {openRepository} from '../../src/git/repository/repository.ts';
import {createHub} from '../../src/git/store/pin-hub.ts';
import {openStore} from '../../src/git/store/store.ts';
import {takeSnapshot} from '../../src/git/worktree/snapshot/snapshot.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import type {State} from '../../src/state/state.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {keepCheckpoint} from '../../src/supervisor/past/checkpoint.ts';
import {readSession, readStanding} from '../../src/supervisor/past/read-session.ts';
import {frameOf} from '../../src/tui/frame.ts';
import {withKeys} from '../../src/tui/keys.ts';
import {startView} from '../../src/tui/model/view.ts';
import {diffRows} from '../../src/tui/rows/diff-rows.ts';
import {working} from '../../test/helpers/given.ts';
import {statOf} from './measure.ts';
import {understand} from './signals-readers.ts';
import {git, snapshotParts} from './snapshot-world.ts';
import {streamOf} from './transcript.ts';

/** A thing that grows, its initial size, and a function that measures its costs at a size: CPU milliseconds, by operation. */
type Growing = {
	readonly what: string;
	readonly from: number;
	readonly costsAt: (size: number) => Promise<Readonly<Record<string, number>>>;
};

/** Costs of one operation at each size, each ten times the one before. */
export type Growth = {
	readonly what: string;
	readonly does: string;
	readonly sizes: readonly number[];
	readonly ms: readonly number[];
};

/** Measures a growing thing at its initial size and at each tenfold of it. */
export const growthOf = async (
	{what, from, costsAt}: Growing,
	tenfolds: number,
): Promise<readonly Growth[]> => {
	const sizes = Array.from({length: tenfolds + 1}, (_, power) => from * 10 ** power);
	// Code that has not run before is slow with any input.
	await costsAt(from);
	const costs: Readonly<Record<string, number>>[] = [];
	for (const size of sizes) {
		costs.push(await costsAt(size));
	}

	return Object.keys(costs[0] ?? {}).map(does => ({
		...{what, does, sizes},
		ms: costs.map(cost => cost[does] ?? Number.NaN),
	}));
};

/** Measures the CPU time of an operation and its children; the minimum of three runs. */
const cost = async (act: () => unknown): Promise<number> => {
	const times: number[] = [];
	for (let time = 0; time < 3; time++) {
		const started = process.cpuUsage();
		const children = childrenMs();
		await act();
		const {user, system} = process.cpuUsage(started);
		times.push((user + system) / 1000 + childrenMs() - children);
	}

	return Math.min(...times);
};

const childrenMs = (): number => {
	const at = statOf('self');
	return (at(13) + at(14)) * 10;
};

const inFolder = async <Result>(act: (folder: string) => Promise<Result>): Promise<Result> => {
	const folder = await mkdtemp(join(tmpdir(), 'growth-'));
	try {
		return await act(folder);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

const id = 'DEL-1';
const program = 'this one';

/** Events of a session in which an agent keeps reporting its progress. */
const journal: Growing = {
	what: 'events in a journal',
	from: 600,
	costsAt: size =>
		inFolder(async root => {
			const folder = repositoryFolder(root, 'repository').session(id);
			const file = await openJournal({folder: folder.journal, session: id});
			const begun = working(['AGT-001']).events();
			const at = begun.at(-1)?.at ?? '';
			await file.append(begun.map(({seq: _, ...body}) => body));
			for (let done = 0; done < size; done += 100) {
				await file.append(
					Array.from({length: 100}, (_, index) => ({
						...{at, kind: 'signal.said', agent: 'AGT-001', turn: 1, offset: 0},
						signal: {kind: 'progress', line: 1, phase: 'Work', status: `${done + index}`},
					})),
				);
			}

			const {state} = await readSession(id, folder);
			await keepCheckpoint(folder, program)(
				{...state, seq: Math.max(1000, state.seq)},
				file.position(),
			);
			await file.close();
			return {
				'read and folded': await cost(() => readSession(id, folder)),
				'read behind a checkpoint': await cost(() => readStanding(id, folder, program)),
			};
		}),
};

const output: Growing = {
	what: 'bytes of output',
	from: 200_000,
	costsAt: async size => ({understood: await cost(() => understand(streamOf('work log', size)))}),
};

/** Files of a repository, and of an agent that then changes all of them. */
const files: Growing = {
	what: 'files',
	from: 50,
	costsAt: size =>
		inFolder(async folder => {
			const root = join(folder, 'project');
			const paths = Array.from({length: size}, (_, index) => `src/${index % 50}/${index}.ts`);
			const write = async (top: string, text: string): Promise<void> => {
				for (const path of paths) {
					await mkdir(dirname(join(top, path)), {recursive: true});
					await writeFile(join(top, path), `export const one = '${path}';\n${text}\n`);
				}
			};

			await write(root, '// as it was');
			await git(root, 'init', '--quiet');
			await git(root, 'add', '--all');
			const person = ['-c', 'user.name=Ada Person', '-c', 'user.email=ada@example.org'];
			await git(root, ...person, 'commit', '--quiet', '--message', 'base');
			const base = await git(root, 'rev-parse', 'HEAD');
			const repository = await openRepository(root);
			const store = await openStore(join(folder, 'store.git'), repository);
			const {tree} = await createHub({
				...{folder: join(folder, 'agent'), repository, base, branch: 'agent'},
			});
			let number = 0;
			const snapshot = () => {
				const ref = `refs/delegate/${number++}`;
				return takeSnapshot(store, {
					...{...snapshotParts(base), tree, index: join(folder, 'index'), ref},
				});
			};

			await snapshot();
			const unchanged = await cost(snapshot);
			await write(tree, '// as it is');
			const changed = await cost(async () => {
				await rm(join(folder, 'index'), {force: true});
				await snapshot();
			});
			const lines = paths.flatMap(path => [
				...[
					`diff --git a/${path} b/${path}`,
					'index 1..2 100644',
					`--- a/${path}`,
					`+++ b/${path}`,
				],
				...['@@ -1,2 +1,2 @@', ' same', '-// as it was', '+// as it is'],
			]);
			return {
				'a look at none that changed': unchanged,
				'a snapshot of all changed': changed,
				'a diff of all changed': await cost(() =>
					diffRows({phase: 'ready', lines: [...lines], total: lines.length}, {columns: 100}),
				),
			};
		}),
};

const agents: Growing = {
	what: 'agents',
	from: 3,
	costsAt: async size => {
		const names = Array.from(
			{length: size},
			(_, index) => `AGT-${String(index + 1).padStart(3, '0')}`,
		);
		const state = working(names, {settings: {parallel: size}}).state();
		return {
			'what is owed, 100 times': await cost(() => times(100, () => owed(state))),
			'a frame of the board, 10 times': await cost(() => times(10, () => frameOf(boardOf(state)))),
		};
	},
};

const times = (count: number, act: () => unknown): void => {
	for (let time = 0; time < count; time++) {
		act();
	}
};

const table = withKeys({});

const boardOf = (state: State) => ({
	model: {
		...{state, questions: [], log: [], tails: {}, activities: {}, resources: {}},
		...{now: state.at, mode: {kind: 'live'} as const},
	},
	view: startView({columns: 120, rows: 40}),
	table,
});

/** Everything that grows with the work of people and agents. */
export const growing: readonly Growing[] = [journal, output, files, agents];
