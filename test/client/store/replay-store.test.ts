import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {type Recording, readRecording} from '../../../src/client/recording.ts';
import type {ResourceKey} from '../../../src/client/resources/resources.ts';
import {shownFile, writeShown} from '../../../src/client/resources/shown.ts';
import type {ModelStore} from '../../../src/client/store/publisher.ts';
import {createReplayStore, type ReplayOptions} from '../../../src/client/store/replay-store.ts';
import {subjectText} from '../../../src/control/caller.ts';
import type {Subject} from '../../../src/control/subject.ts';
import {defined} from '../../../src/lib/values.ts';
import {fold} from '../../../src/state/apply/apply.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {recorded} from '../../tui/a-screen.ts';
import {until} from './until.ts';

const recording = async (
	name = 'questions-and-checkpoints',
	files: Readonly<Record<string, string>> = {},
): Promise<Recording> => ({
	events: await recorded(name),
	files: new Map(
		Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]),
	),
	resources: {},
	details: [],
});

/** Opens a recording, which is closed when the test ends. */
const opened = (options: ReplayOptions): ModelStore => {
	const store = createReplayStore(options);
	onTestFinished(store.close);
	return store;
};

const paused = (recording: Recording, at?: number) =>
	opened({recording, speed: 1, playing: false, ...defined({at})});

const work: ResourceKey = {what: {of: 'work', agent: 'AGT-001'}, state: 'c1'};

describe('a recording', () => {
	test('begins where it is told to', async () => {
		const played = await recording();
		const store = paused(played, 20);
		expect(store.model().state).toEqual(fold(played.events.slice(0, 20)));
		expect(store.model().log).toHaveLength(20);
	});

	test('is gone through forth and back, and never beyond its ends', async () => {
		const played = await recording();
		const store = paused(played);
		const {length} = played.events;
		for (const [step, position] of [
			[1, 1],
			[20, 21],
			[-1, 20],
			[-100, 0],
			[length + 5, length],
		] as const) {
			store.playing?.step(step);
			expect(store.model().mode).toMatchObject({position, playing: false});
			expect(store.model().state).toEqual(fold(played.events.slice(0, position)));
		}
	});

	test('plays to its end by itself, and tells each of its states', async () => {
		const played = await recording();
		const store = opened({recording: played, speed: 1_000_000, playing: true});
		await until(store, ({state}) => state.session?.ended !== undefined);
		expect(store.model().mode).toMatchObject({position: played.events.length, playing: false});
	});

	test('shows of an agent’s words no more than had been heard', async () => {
		const events = await recorded('questions-and-checkpoints');
		const said = events.find(event => event.kind === 'signal.said');
		if (said?.kind !== 'signal.said') {
			throw new Error('Nobody says anything.');
		}

		const words = `${'x'.repeat(said.offset - 1)}\nlater`;
		const file = `${said.agent}/transcript/${said.turn}.txt`;
		const played = await recording('questions-and-checkpoints', {[file]: words});
		const before = paused(played, said.seq - 1);
		const then = paused(played, said.seq);
		const ended = events.find(event => event.kind === 'turn.ended' && event.agent === said.agent);
		const after = paused(played, ended?.seq ?? 0);
		expect(before.model().tails[said.agent]).toEqual([]);
		expect(then.model().tails[said.agent]).toEqual(['x'.repeat(said.offset - 1)]);
		expect(after.model().tails[said.agent]?.at(-1)).toBe('later');
	});

	test('shows of what an agent did no more than it had told', async () => {
		const events = await recorded('questions-and-checkpoints');
		const started = events.find(event => event.kind === 'turn.started');
		const ended = events.find(event => event.kind === 'turn.ended');
		if (started?.kind !== 'turn.started' || ended === undefined) {
			throw new Error('Nobody works.');
		}

		const {agent, at, seq} = started;
		const file = `${agent}/transcript/1.txt`;
		const thought = {kind: 'thought', agent, turn: 1, text: 'Hm.'} as const;
		const played: Recording = {
			...(await recording('questions-and-checkpoints', {[file]: 'One.\nTwo.\n'})),
			details: [
				{...thought, at, offset: 5},
				{...thought, at: ended.at, offset: 10},
			],
		};
		const [then, after] = [paused(played, seq), paused(played, ended.seq)];
		expect(then.model().tails[agent]).toEqual(['One.']);
		expect(then.model().activities[agent]?.passages).toMatchObject([{before: 1}]);
		expect(after.model().activities[agent]?.passages).toMatchObject([{before: 1}, {before: 2}]);
	});

	test('shows of a check no more than that it began, until it has ended', async () => {
		const events = await recorded('check-fails');
		const ended = events.find(event => event.kind === 'verify.ended');
		const path = (ended?.kind === 'verify.ended' ? ended.log?.path : undefined) ?? '';
		const played = await recording('check-fails', {[path]: '$ npm test\nnot ok 1\n'});
		const seq = ended?.seq ?? 0;
		const [before, after] = [paused(played, seq - 1), paused(played, seq)];
		expect(before.model().tails.verify).toEqual(['$ npm test']);
		expect(after.model().tails.verify).toEqual(['$ npm test', 'not ok 1']);
	});
});

describe('what a recording does not hold', () => {
	const page = (line: string, next: number | null) => ({lines: [line], total: 2, next, cut: 0});

	test('is asked for as it was then, wherever the recording has come to meanwhile', async () => {
		const played = await recording();
		const store = opened({
			recording: played,
			at: 20,
			speed: 1,
			playing: false,
			show: async (state, {what, offset}) => {
				store.playing?.step(1);
				return page(`${subjectText(what)} at ${state.seq}`, offset === 0 ? 1 : null);
			},
		});
		const ready = until(store, ({resources}) => resources['AGT-001@c1']?.phase === 'ready');
		store.want([work]);
		expect(store.model().resources).toEqual({'AGT-001@c1': {phase: 'loading'}});
		await ready;
		expect(store.model().mode).toMatchObject({position: 22});
		expect(store.model().resources).toEqual({
			'AGT-001@c1': {phase: 'ready', lines: ['AGT-001 at 20', 'AGT-001 at 20'], total: 2},
		});
	});

	test('is all that is asked for', async () => {
		const resource = {phase: 'ready', lines: ['+ one'], total: 1} as const;
		const asked: Subject[] = [];
		const store = opened({
			recording: {...(await recording()), resources: {'AGT-001@c1': resource}},
			speed: 1,
			playing: false,
			show: async (_, {what}) => asked.push(what),
		});
		store.want([work, {what: {of: 'result'}, state: 'c2'}]);
		expect(asked).toEqual([{of: 'result'}]);
		expect(store.model().resources).toEqual({
			'AGT-001@c1': resource,
			'result@c2': {phase: 'loading'},
		});
	});
});

describe('the folder of a session', () => {
	test('is read with the words and the checks that lie in it', async () => {
		const folder = temporaryFolder();
		const told =
			'{"at":"2026","agent":"AGT-001","turn":1,"offset":5,"kind":"thought","text":"Hm."}';
		for (const [path, text] of [
			['journal/000001.ndjson', ''],
			['AGT-001/transcript/1.txt', 'words'],
			['AGT-001/transcript/1.txt.err', 'complaints'],
			['verify/7.log', 'checked'],
			['telemetry.ndjson', `${told}\n{"torn`],
		] as const) {
			mkdirSync(join(folder, path, '..'), {recursive: true});
			writeFileSync(join(folder, path), text);
		}

		const {files, events, details} = await readRecording(folder);
		expect(events).toEqual([]);
		expect(details).toEqual([JSON.parse(told)]);
		expect([...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])).toEqual([
			['verify/7.log', 'checked'],
			['AGT-001/transcript/1.txt', 'words'],
		]);
	});

	test('is read with what was shown of it, as far as that can be read', async () => {
		const folder = temporaryFolder();
		mkdirSync(join(folder, 'journal'));
		writeFileSync(join(folder, 'journal/000001.ndjson'), '');
		const long = Array.from({length: 1000}, (_, index) => `line ${index}`);
		const shown = writeShown({
			'AGT-001@c1': {phase: 'ready', lines: ['+ one'], total: 1},
			'AGT-002@c2': {phase: 'ready', lines: long, total: 1000},
			'AGT-003@c3': {phase: 'failed', why: 'it is gone'},
		});
		writeFileSync(join(folder, shownFile), `${shown}nonsense\n{"resource":"x"}\n`);
		const played = await readRecording(folder);
		expect(played.resources).toEqual({
			'AGT-001@c1': {phase: 'ready', lines: ['+ one'], total: 1},
			'AGT-002@c2': {phase: 'ready', lines: long.slice(0, 400), total: 1000},
		});
		const store = paused(played);
		expect(store.model().resources).toEqual(played.resources);
	});

	test.each([
		['holds no journal', temporaryFolder],
		['is not there', () => '/nowhere'],
	])('that %s is refused in words', async (_, folder) => {
		await expect(readRecording(folder())).rejects.toMatchObject({
			message: expect.stringContaining('There is no journal in'),
			hint: 'delegate-tui sessions --json tells the folder of each session',
		});
	});
});
