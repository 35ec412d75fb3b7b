import {expect, test} from 'vitest';
import type {Oracles} from '../../../src/conflicts/oracle/open-oracles.ts';
import type {Body, BodyOf} from '../../../src/events/event.ts';
import {defined} from '../../../src/lib/values.ts';
import {meetingOf} from '../../../src/rules/collision-matrix.ts';
import {apply} from '../../../src/state/apply/apply.ts';
import {emptyState} from '../../../src/state/state.ts';
import {createRadar} from '../../../src/supervisor/merging/radar.ts';
import {openLiveOracles} from '../../../src/supervisor/session.ts';
import {makeStore} from '../../git/world.ts';
import {planOf, sessionStarted, subtask} from '../../helpers/plan.ts';
import {commitAll, type Files, git, write} from '../../helpers/repository.ts';

/** Two agents in a repository, whose snapshots are told by hand. */
const twoAgents = async (files: Files) => {
	const {root, store, base} = await makeStore(files);
	let state = emptyState;
	const believe = (bodies: readonly Body[]) => {
		for (const body of bodies) {
			state = apply(state, {...body, seq: state.seq + 1, at: '2026-01-01T00:00:00Z'});
		}
	};
	const agents = ['AGT-001', 'AGT-002'];
	believe([
		sessionStarted(planOf(agents.map(id => subtask(id))), {base}),
		...agents.map(
			(agent): Body => ({
				kind: 'workspace.prepared',
				...{agent, base, baseline: base, onto: [], conflicts: []},
			}),
		),
	]);
	const commit = (changes: Files): string => {
		git(root, 'checkout', '--quiet', '--detach', base);
		write(root, changes);
		return commitAll(root);
	};
	let number = 0;
	const snapshot = (agent: string, changes: Files, work = commit(changes)) => {
		number += 1;
		believe([
			{
				kind: 'snapshot.taken',
				...{agent, number, reason: 'quiet', commit: work, tree: work, work},
				...{files: 1, outside: [], claims: []},
			},
		]);
	};
	const radarWith = (
		oracles: Oracles,
		onTrouble = (error: unknown): void => {
			throw error;
		},
	) => {
		const told: BodyOf<'work.compared'>[] = [];
		const waiting: (() => void)[] = [];
		const radar = createRadar({
			store,
			oracles,
			state: () => state,
			append: async bodies => {
				believe(bodies);
				told.push(...bodies.filter(body => body.kind === 'work.compared'));
				for (const go of waiting.splice(0)) {
					go();
				}
			},
			onTrouble,
		});
		const isTold = async (is: (event: BodyOf<'work.compared'>) => boolean) => {
			while (!told.some(is)) {
				await new Promise<void>(resolve => {
					waiting.push(resolve);
				});
			}
		};
		return {radar, told, isTold};
	};
	const meeting = () => meetingOf(state, 'AGT-001', 'AGT-002');
	return {store, snapshot, radarWith, meeting};
};

test('work that git merges and TypeScript refuses is a collision, with its words and both lines', async () => {
	const {store, snapshot, radarWith} = await twoAgents({
		'size.ts': 'export const size = (): number => 1;\n',
		'use.ts': 'export {};\n',
	});
	snapshot('AGT-001', {'size.ts': "export const size = (): string => 'large';\n"});
	snapshot('AGT-002', {
		'use.ts': "import {size} from './size.ts';\nexport const two = size() * 2;\n",
	});
	const {radar, told, isTold} = radarWith(openLiveOracles({store}));
	radar.look();
	await isTold(({findings}) => findings.length > 0);
	await radar.close();
	expect(told).toMatchObject([
		{
			a: 'AGT-001',
			b: 'AGT-002',
			findings: [
				{
					path: 'use.ts',
					blocking: true,
					evidence: [
						{side: 'a', path: 'size.ts'},
						{side: 'b', path: 'use.ts', line: 2, text: 'export const two = size() * 2;'},
					],
					confirmed: {
						by: expect.stringMatching(/^TypeScript \d/),
						text: expect.stringContaining('TS2362'),
					},
				},
			],
		},
	]);
});

test('that types were not checked is told as often as it becomes true, and no longer once they are', async () => {
	const {snapshot, radarWith} = await twoAgents({'a.ts': 'export {};\n', 'b.ts': 'export {};\n'});
	const limits = ['9 files would have to be read.', '8 files would have to be read.', undefined];
	const asked: (string | undefined)[] = [];
	const lastAsked = Promise.withResolvers<void>();
	const {radar, told, isTold} = radarWith({
		confirm: async (_, findings, {onVerdict} = {}) => {
			const failed = limits[asked.length];
			asked.push(failed);
			const run = {name: 'TypeScript', version: '7.0.1', ms: 3, ...defined({failed})};
			await onVerdict?.({findings: await findings, run});
			if (asked.length === 2) {
				lastAsked.resolve();
			}

			return findings;
		},
		runs: () => [],
		red: () => [],
		[Symbol.asyncDispose]: async () => {},
	});
	snapshot('AGT-001', {'a.ts': 'export const a = 1;\n'});
	snapshot('AGT-002', {'b.ts': 'export const b = 1;\n'});
	radar.look();
	await isTold(({unchecked}) => unchecked !== undefined);
	snapshot('AGT-002', {'b.ts': 'export const b = 2;\n'});
	radar.look();
	await lastAsked.promise;
	snapshot('AGT-002', {'b.ts': 'export const b = 3;\n'});
	radar.look();
	await isTold(({unchecked}) => unchecked === undefined);
	await radar.close();
	expect(asked).toEqual(limits);
	expect(told.map(({unchecked}) => unchecked)).toEqual([
		[{by: 'TypeScript 7.0.1', why: '9 files would have to be read.'}],
		undefined,
	]);
});

test('a comparison that fails is tried once more', async () => {
	const {snapshot, radarWith} = await twoAgents({'a.ts': 'export {};\n', 'b.ts': 'export {};\n'});
	const troubles: unknown[] = [];
	let asked = 0;
	const {radar, told, isTold} = radarWith(
		{
			confirm: async (_, findings, {onVerdict} = {}) => {
				asked += 1;
				if (asked === 1 || asked > 2) {
					throw new Error(`It broke at ${asked}.`);
				}

				const run = {name: 'TypeScript', version: '7.0.1', ms: 3, failed: 'It had enough.'};
				await onVerdict?.({findings: await findings, run});
				return findings;
			},
			runs: () => [],
			red: () => [],
			[Symbol.asyncDispose]: async () => {},
		},
		error => troubles.push(error),
	);
	snapshot('AGT-001', {'a.ts': 'export const a = 1;\n'});
	snapshot('AGT-002', {'b.ts': 'export const b = 1;\n'});
	radar.look();
	await isTold(({unchecked}) => unchecked !== undefined);
	expect(troubles).toMatchObject([{message: 'It broke at 1.'}]);
	snapshot('AGT-002', {'b.ts': 'export const b = 2;\n'});
	radar.look();
	await expect.poll(() => troubles.length).toBe(3);
	radar.look();
	await radar.close();
	expect(asked).toBe(4);
	expect(told.slice(1).map(({unchecked}) => unchecked)).toEqual([
		[{by: 'any checker', why: 'It broke at 4.'}],
	]);
});

test('a pair that can’t be compared is told with the reason, until it is', async () => {
	const {store, snapshot, radarWith, meeting} = await twoAgents({
		'a.ts': 'export {};\n',
		'b.ts': 'export {};\n',
	});
	const troubles: unknown[] = [];
	const {radar, isTold} = radarWith(openLiveOracles({store}), error => troubles.push(error));
	snapshot('AGT-001', {'a.ts': 'export const a = 1;\n'});
	snapshot('AGT-002', {}, 'f'.repeat(40));
	radar.look();
	await isTold(({failed}) => failed !== undefined);
	expect(troubles).toHaveLength(2);
	expect(meeting()).toEqual({
		standing: 'not compared',
		why: expect.stringMatching(/^The comparison failed: git .*\.$/),
	});
	snapshot('AGT-002', {'b.ts': 'export const b = 1;\n'});
	radar.look();
	await isTold(({failed}) => failed === undefined);
	await radar.close();
	expect(meeting()).toMatchObject({standing: 'compared', findings: []});
});

test('what is read is told before a checker has answered, and the checker is stopped when its tree is old', async () => {
	const {snapshot, radarWith} = await twoAgents({
		'size.ts': 'export const size = () => 1;\n',
		'use.ts': 'export {};\n',
	});
	const asked: AbortSignal[] = [];
	const firstAsked = Promise.withResolvers<void>();
	let closed = 0;
	const {radar, told, isTold} = radarWith({
		confirm: ({signal}, findings) => {
			asked.push(signal);
			firstAsked.resolve();
			return asked.length > 1
				? Promise.resolve(findings)
				: new Promise((_resolve, reject) => {
						signal.addEventListener('abort', () => reject(signal.reason));
					});
		},
		runs: () => [],
		red: () => [],
		[Symbol.asyncDispose]: async () => {
			closed += 1;
		},
	});
	snapshot('AGT-001', {'size.ts': 'export const width = () => 1;\n'});
	snapshot('AGT-002', {
		'use.ts': "import {size} from './size.ts';\nexport const two = size() * 2;\n",
	});
	radar.look();
	await isTold(({findings}) => findings.length > 0);
	await firstAsked.promise;

	snapshot('AGT-002', {'use.ts': 'export const two = 2;\n'});
	radar.look();
	await isTold(({findings}) => findings.length === 0);
	await radar.close();
	expect(told).toHaveLength(2);
	expect(asked[0]?.aborted).toBe(true);
	expect(closed).toBe(1);
});
