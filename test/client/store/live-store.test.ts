import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {emptyAccount, type Passage} from '../../../src/client/activity/account.ts';
import type {Model} from '../../../src/client/model.ts';
import type {ResourceKey} from '../../../src/client/resources/resources.ts';
import {openLiveStore, paceOf} from '../../../src/client/store/live-store.ts';
import type {ModelStore} from '../../../src/client/store/publisher.ts';
import type {Ask} from '../../../src/client/supervisor/request-within.ts';
import type {Event} from '../../../src/events/event.ts';
import {segmentPath} from '../../../src/journal/scan.ts';
import {later} from '../../../src/lib/text/duration.ts';
import {fold} from '../../../src/state/apply/apply.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {recorded} from '../../tui/a-screen.ts';
import {until} from './until.ts';

const open = async (
	folder: string,
	ask: Ask = () => Promise.reject(new Error('nobody')),
	seq = 0,
): Promise<ModelStore> => {
	const store = await openLiveStore({
		journal: join(folder, 'journal'),
		seq,
		environments: async () => ({}),
		folders: {
			transcripts: agent => join(folder, agent, 'transcript'),
			setupLog: agent => join(folder, agent, 'setup.log'),
			checks: join(folder, 'verify'),
			commands: join(folder, 'commands'),
			telemetry: join(folder, 'telemetry.ndjson'),
		},
		ask,
	});
	onTestFinished(store.close);
	return store;
};

const hasEnded = (passage: Passage | undefined): boolean =>
	passage?.kind === 'tool' && passage.status === 'completed';

const fixtures = join(import.meta.dirname, '../../../fixtures/journals');

/** A journal that is being written: the first lines of a recorded one, and how to write the next. */
const writing = async (name = 'questions-and-checkpoints') => {
	const folder = temporaryFolder();
	const lines = (await readFile(segmentPath(join(fixtures, name), 1), 'utf8')).split(/(?<=\n)/);
	const path = segmentPath(join(folder, 'journal'), 1);
	mkdirSync(join(folder, 'journal'), {recursive: true});
	writeFileSync(path, '');
	const words = join(folder, 'AGT-001', 'transcript');
	mkdirSync(words, {recursive: true});
	let next = 0;
	return {
		folder,
		/** Where the words of the first agent's turns are. */
		transcript: (turn: number) => join(words, `${turn}.txt`),
		events: lines.length - 1,
		write: (until: number) => {
			appendFileSync(path, lines.slice(next, until + 1).join(''));
			next = until + 1;
		},
	};
};

/** The event after which a transcript of the first agent is being written. */
const firstTurn = async (): Promise<number> =>
	(await recorded('questions-and-checkpoints')).find(
		event => event.kind === 'turn.started' && event.agent === 'AGT-001',
	)?.seq ?? Number.NaN;

const work: ResourceKey = {what: {of: 'work', agent: 'AGT-001'}, state: 'w1'};
const result: ResourceKey = {what: {of: 'result'}, state: 'c1'};

describe('a store that follows a session', () => {
	test('knows what is in the journal, and then what comes', async () => {
		const {folder, ...journal} = await writing();
		journal.write(10);
		const store = await open(folder, undefined, 10);
		const early = store.model();
		const events = await recorded('questions-and-checkpoints');
		expect(early.state).toEqual(fold(events.slice(0, 10)));
		journal.write(journal.events);
		const late = await until(store, ({state}) => state.seq === journal.events);
		expect(late.state).toEqual(fold(events));
		expect(late.log.map(({event}) => event.seq)).toEqual(events.map(({seq}) => seq));
	});

	test('publishes many lines at once, and few times', async () => {
		const {folder, ...journal} = await writing();
		journal.write(await firstTurn());
		const transcript = journal.transcript(1);
		writeFileSync(transcript, '');
		const store = await open(folder);
		await until(store, ({tails}) => tails['AGT-001'] !== undefined);
		let published = 0;
		store.subscribe(() => {
			published++;
		});
		const started = performance.now();
		for (let line = 1; line <= 5000; line++) {
			appendFileSync(transcript, `line ${line}\n`);
		}

		const {tails} = await until(store, ({tails}) => tails['AGT-001']?.at(-1) === 'line 5000');
		expect(tails['AGT-001']).toHaveLength(1000);
		expect(tails['AGT-001']?.[0]).toBe('line 4001');
		expect(published).toBeLessThanOrEqual((performance.now() - started) / 66 + 2);
	});

	test('tells what a check prints from its first line on, and nothing of the check before', async () => {
		const {folder, ...journal} = await writing('check-fails');
		const events = await recorded('check-fails');
		const seqOf = (kind: Event['kind']) => events.find(event => event.kind === kind)?.seq ?? 0;
		const log = (number: number) => join(folder, 'verify', `${number}.log`);
		const due = seqOf('merge.built');
		mkdirSync(join(folder, 'verify'));
		writeFileSync(log(due - 1), 'of a result that is void\n');
		journal.write(due);
		const store = await open(folder);
		await until(store, ({state}) => state.seq === due);
		expect(store.model().tails.verify ?? []).toEqual([]);
		writeFileSync(log(due), '$ npm test\nok 1\n');
		const first = await until(store, ({tails}) => tails.verify?.length === 2);
		expect(first).toMatchObject({tails: {verify: ['$ npm test', 'ok 1']}, checkLog: log(due)});

		const retried =
			events.find(event => event.kind === 'user.decided' && event.seq > due)?.seq ?? 0;
		journal.write(retried);
		await until(store, ({state, tails}) => state.seq === retried && tails.verify?.length === 0);
		writeFileSync(log(retried), '$ npm test\n');
		const again = await until(store, ({tails}) => tails.verify?.length === 1);
		expect(again.checkLog).toBe(log(retried));
	});

	test('knows what an agent did between its words, as both are being written', async () => {
		const {folder, ...journal} = await writing();
		journal.write(await firstTurn());
		const transcript = journal.transcript(1);
		const tell = (offset: number, status: string): void =>
			appendFileSync(
				join(folder, 'telemetry.ndjson'),
				`${JSON.stringify({
					at: '2026-11-21T23:41:49.000Z',
					agent: 'AGT-001',
					turn: 1,
					offset,
					kind: 'tool',
					id: 'call-1',
					title: 'Run the tests',
					tool: 'execute',
					status,
					paths: [],
				})}\n`,
			);
		writeFileSync(transcript, 'Ünder way.\n');
		tell(12, 'in_progress');
		const store = await open(folder);
		const passages = ({activities}: Model) => activities['AGT-001']?.passages;
		const begun = await until(store, model => passages(model)?.[0]?.before === 1);
		expect(passages(begun)?.[0]?.passage).toMatchObject({kind: 'tool', status: 'in_progress'});
		appendFileSync(transcript, 'Done.\n');
		tell(12, 'completed');
		appendFileSync(join(folder, 'telemetry.ndjson'), '{"torn');
		const done = await until(
			store,
			model => model.tails['AGT-001']?.length === 2 && hasEnded(passages(model)?.[0]?.passage),
		);
		expect(passages(done)).toMatchObject([{before: 1, passage: {id: 'call-1'}}]);
	});

	test('knows the words of an agent’s earlier turns as well', async () => {
		const {folder, ...journal} = await writing();
		const events = await recorded('questions-and-checkpoints');
		const again = events.find(
			event => event.kind === 'turn.started' && event.agent === 'AGT-001' && event.turn === 2,
		);
		journal.write(again?.seq ?? Number.NaN);
		for (const [turn, words] of [
			[1, 'I ask.'],
			[2, 'I go on.'],
			[3, 'I am not there yet.'],
		] as const) {
			writeFileSync(journal.transcript(turn), `${words}\n`);
		}

		const {tails} = await until(
			await await open(folder),
			({tails}) => tails['AGT-001']?.length === 2,
		);
		expect(tails['AGT-001']).toEqual(['I ask.', 'I go on.']);
	});

	test('publishes at once what has come when it is asked to', async () => {
		const {folder, ...journal} = await writing();
		journal.write(10);
		const store = await open(folder, async () => ({lines: ['a'], total: 1, next: null, cut: 0}));
		await until(store, ({state}) => state.seq === 10);
		store.want([work]);
		expect(store.model().resources).toEqual({});
		store.flush();
		expect(store.model().resources).toEqual({'AGT-001@w1': {phase: 'loading'}});
	});

	test('says why it can’t read on', async () => {
		const {folder, ...journal} = await writing();
		journal.write(10);
		appendFileSync(segmentPath(join(folder, 'journal'), 1), 'nonsense\n');
		journal.write(11);
		const {trouble, state} = await until(
			await await open(folder),
			({trouble}) => trouble !== undefined,
		);
		expect(trouble).toContain('journal');
		expect(state.seq).toBeLessThanOrEqual(10);
	});
});

describe('what the supervisor is asked to show', () => {
	test('is fetched page by page, once', async () => {
		const asked: unknown[] = [];
		const ask: Ask = async request => {
			asked.push(request.offset);
			return request.offset === 0
				? {lines: ['a', 'b'], total: 3, next: 2, cut: 0}
				: {lines: ['c'], total: 3, next: null, cut: 0};
		};
		const store = await open(temporaryFolder(), ask);
		store.want([work]);
		store.want([work]);
		const {resources} = await until(
			store,
			({resources}) => resources['AGT-001@w1']?.phase === 'ready',
		);
		expect(resources['AGT-001@w1']).toEqual({phase: 'ready', lines: ['a', 'b', 'c'], total: 3});
		expect(asked).toEqual([0, 2]);
	});

	test('says so where the supervisor answers in another shape', async () => {
		const store = await open(temporaryFolder(), async () => ({lines: 'a'}));
		store.want([work]);
		const {resources} = await until(
			store,
			({resources}) => resources['AGT-001@w1']?.phase === 'failed',
		);
		expect(resources['AGT-001@w1']).toMatchObject({why: expect.stringContaining('can’t read')});
	});

	test('tells why it could not be had, and is asked for again only when it is wanted again', async () => {
		let tries = 0;
		const store = await open(temporaryFolder(), async () => {
			tries++;
			throw new Error(`try ${tries}`);
		});
		store.want([result]);
		const failed = await until(store, ({resources}) => resources['result@c1']?.phase === 'failed');
		expect(failed.resources['result@c1']).toEqual({phase: 'failed', why: 'try 1'});
		store.want([result]);
		store.want([]);
		store.want([result]);
		await until(store, ({resources}) => {
			const resource = resources['result@c1'];
			return resource?.phase === 'failed' && resource.why === 'try 2';
		});
		expect(tries).toBe(2);
	});
});

describe('the clock of a screen', () => {
	const at = async (kind: Event['kind'], ms: number, spoken: Partial<Model> = {}) => {
		const events = await recorded('questions-and-checkpoints');
		const last = events.findIndex(event => event.kind === kind);
		const now = later(events[last]?.at ?? '', ms);
		return paceOf({state: fold(events.slice(0, last + 1)), activities: {}, now, ...spoken});
	};

	test('runs by the second while an agent has worked for less than a minute, then once a minute', async () => {
		expect(await at('turn.started', 59_000)).toBe(1000);
		expect(await at('turn.started', 60_000)).toBe(60_000);
	});

	test('runs by the second while an agent starts', async () => {
		const events = await recorded('questions-and-checkpoints');
		const spawned = events.findIndex(
			event => event.kind === 'agent.moved' && event.to === 'SPAWNING',
		);
		const state = fold(events.slice(0, spawned + 1));
		const now = (ms: number) => later(events[spawned]?.at ?? '', ms);
		expect(paceOf({state, activities: {}, now: now(2000)})).toBe(1000);
		expect(paceOf({state, activities: {}, now: now(60_000)})).toBe(60_000);
	});

	test('stands still where nothing runs', async () => {
		expect(await at('session.started', 1000)).toBeUndefined();
		expect(await at('session.ended', 1000)).toBeUndefined();
	});

	test('runs by the second while a tool does', async () => {
		const events = await recorded('questions-and-checkpoints');
		const started = events.find(({kind}) => kind === 'turn.started')?.at ?? '';
		const passage: Passage = {
			...{kind: 'tool', at: started, since: later(started, 100_000), agent: 'AGT-001', turn: 1},
			...{offset: 0, id: 't', title: 'npm test', tool: 'bash', status: 'in_progress'},
			...{paths: [], diffs: []},
		};
		const activity = {...emptyAccount, passages: [{passage, before: 0}]};
		const activities: Model['activities'] = {'AGT-001': activity};
		expect(await at('turn.started', 120_000, {activities})).toBe(1000);
		expect(await at('turn.started', 160_000, {activities})).toBe(60_000);
	});
});
