import {describe, expect, it} from 'vitest';
import type {Quirks} from '../../../src/agents/acp/quirks.ts';
import type {Detail} from '../../../src/agents/acp/speech/activity.ts';
import {tokensIn} from '../../../src/agents/acp/speech/count-tokens.ts';
import {startAcpTurn} from '../../../src/agents/acp/turn.ts';
import {createWatchdog} from '../../../src/agents/watchdog.ts';
import type {Silence} from '../../../src/events/event.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {byHand, converse, heardOut, open, summaries} from './converse.ts';

describe('what an agent says in several messages', () => {
	it('is put together by their names, whatever comes between', async () => {
		const heard = await heardOut(byHand('says-much'));
		expect(heard.signals.map(({kind}) => kind)).toEqual(['summary', 'status', 'completion_report']);
		expect(summaries(heard)).toEqual(['one message']);
		expect(heard.details.map(({kind}) => kind)).toEqual(['usage', 'plan']);
	});
});

describe('a tool', () => {
	it('that brings a diff is a write, whatever the agent calls it, and has failed when it was refused', async () => {
		const heard = await heardOut(byHand('writes-by-another-name'), () => ({
			kind: 'refuse',
			why: 'no',
		}));
		expect(heard.requests).toEqual([
			{number: 1, title: 'WriteFile', kind: 'edit', paths: ['other.txt']},
		]);
		expect(summaries(heard)).toEqual(['no']);
		// The agent itself never says so.
		const last = (id: string) =>
			heard.details.findLast(detail => detail.kind === 'tool' && detail.id === id);
		expect(last('w-1')).toMatchObject({status: 'failed', durationMs: expect.any(Number)});
		expect(last('w-2')).toMatchObject({status: 'completed', durationMs: expect.any(Number)});
	});
});

describe('what a prompt has cost', () => {
	const spending = async (quirks: Quirks, updates: readonly object[], ...answers: object[]) => {
		const words = [updates, ...answers].map(told => JSON.stringify(told));
		const {conversation} = await open(byHand('counts', ...words), {quirks});
		const told: Detail[] = [];
		for (const [index] of answers.entries()) {
			const {turn, details} = converse(conversation, `prompt ${index}`);
			expect((await turn.ended).end).toEqual({by: 'exit', code: 0});
			told.push(...details);
		}

		return told.flatMap((detail): readonly unknown[] => {
			if (detail.kind === 'tokens') {
				return [detail.total];
			}

			return 'cost' in detail ? [detail.cost?.amount] : [];
		});
	};

	const context = (used: number) => ({sessionUpdate: 'usage_update', used, size: 1000});
	const tool = {sessionUpdate: 'tool_call', toolCallId: 't', title: 'Look', status: 'pending'};
	const toolEnds = {sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed'};
	const usage = (total: number) => ({inputTokens: total - 1, outputTokens: 1, totalTokens: total});
	const piece = (total: number) => ({
		sessionUpdate: 'agent_message_chunk',
		content: {type: 'text', text: ''},
		_meta: {usage: {totalTokens: total}},
	});

	it('is told as the agent tells it', async () => {
		expect(await spending({}, [], {usage: {inputTokens: 7}})).toEqual([7]);
	});

	it('is told request by request where the context is what a request took, and corrected at the end', async () => {
		const told = await spending(
			{countsRequests: true},
			[context(100), tool, context(110), toolEnds, context(150), context(150)],
			{usage: usage(275)},
		);
		expect(told).toEqual([100, 10, 150, 15]);
	});

	it('is told with the pieces of an answer that say it', async () => {
		const told = await spending({}, [piece(50), tool, toolEnds, piece(50)], {});
		expect(told).toEqual([50, 50]);
	});

	it('is the difference where an agent counts on from turn to turn', async () => {
		const told = await spending({countsOn: true}, [], {usage: usage(30)}, {usage: usage(70)});
		expect(told).toEqual([30, 40]);
	});

	it('is what the server of an agent says, since the protocol tells the last request alone', async () => {
		const sums = [0, 60, 150].map(tokens => ({tokens, dollars: tokens / 1000}));
		const spent = async () => sums.shift();
		const told = await spending({spent}, [tool, toolEnds], {usage: usage(9)});
		expect(told).toEqual([60, 0.06, 150, 0.15]);
	});

	it('does not fall where the server of an agent can’t be reached at the end alone', async () => {
		const looks = [undefined, {tokens: 2000, dollars: 0}];
		const spent = async () => looks.shift();
		expect(await spending({spent}, [tool, toolEnds], {usage: usage(300)})).toEqual([2000]);
	});

	it('is no number that counts no tokens', async () => {
		const updates = [piece(-1e9), piece(0.5), piece(1e308), context(1e308)];
		const told = await spending({countsRequests: true}, updates, {usage: {totalTokens: -7}});
		expect(told).toEqual([]);
	});

	it('is what the protocol tells where the server of an agent can’t be reached', async () => {
		const told = await spending({spent: async () => undefined}, [tool, toolEnds], {
			usage: usage(9),
		});
		expect(told).toEqual([9]);
	});

	const counted = {input_tokens: 5, output_tokens: 1};

	it.each([
		[{usage: {inputTokens: 7, outputTokens: 2, totalTokens: 10, thoughtTokens: null}}, 10],
		[{usage: {inputTokens: 7, outputTokens: 2}}, 9],
		[{_meta: {quota: {token_count: counted}}}, 6],
		[{}, undefined],
		[{usage: 'much'}, undefined],
		[{_meta: {quota: 7}}, undefined],
	])('is read from %j', (answer, count) => {
		expect(tokensIn(answer)).toBe(count);
	});
});

describe('an agent that says nothing any more', () => {
	it('is told of with the time since when, and what it is in the middle of', async () => {
		const {conversation} = await open(byHand('stalls'));
		const silent = Promise.withResolvers<Silence>();
		const began = new Date().toISOString();
		const turn = startAcpTurn(conversation, {
			prompt: 'go',
			transcript: `${temporaryFolder()}/transcript.txt`,
			expect: [],
			quietMs: 50,
			onSignal: () => {},
			onDetail: () => {},
			// It may be silent before it begins, too.
			onSilence: silence => silence?.during && silent.resolve(silence),
			onRequest: async () => ({kind: 'allow'}),
		});
		const {since, during} = await silent.promise;
		expect(since >= began).toBe(true);
		expect(during).toBe('npm test');
		await turn.stop();
		expect((await turn.ended).end).toEqual({by: 'stopped'});
	});

	it('is told of once more as soon as it is heard again', async () => {
		const told: boolean[] = [];
		const silent = Promise.withResolvers<void>();
		const watchdog = createWatchdog({
			quietMs: 5,
			onSilence: silence => {
				told.push(silence !== undefined);
				silent.resolve();
			},
		});
		await silent.promise;
		watchdog.heard();
		watchdog.heard();
		watchdog.end();
		expect(told.filter(isSilent => !isSilent)).toHaveLength(1);
		expect(told.at(-1)).toBe(false);
	});

	it('is told of early while no word of its model has come, and once more when one has', async () => {
		const told: string[] = [];
		const quiet = Promise.withResolvers<void>();
		const watchdog = createWatchdog({
			firstMs: 5,
			onQuiet: () => {
				told.push('quiet');
				quiet.resolve();
			},
			onSilence: silence => told.push(silence?.since ?? 'heard'),
			onAnswer: () => told.push('answer'),
		});
		watchdog.heard(false);
		await quiet.promise;
		watchdog.heard(false);
		expect(told).toEqual(['quiet']);
		watchdog.heard();
		watchdog.heard();
		watchdog.end();
		expect(told).toEqual(['quiet', 'answer', 'heard', 'answer']);
	});

	it('though it tells of its modes and commands is told of until its model answers', async () => {
		const {conversation} = await open(byHand('stalls', 'lists'));
		const quiet = Promise.withResolvers<void>();
		const turn = startAcpTurn(conversation, {
			prompt: 'go',
			transcript: `${temporaryFolder()}/transcript.txt`,
			expect: [],
			firstMs: 300,
			onSignal: () => {},
			onDetail: () => {},
			onQuiet: quiet.resolve,
			onRequest: async () => ({kind: 'allow'}),
		});
		await quiet.promise;
		await turn.stop();
	});

	it('is not suspected while it waits for a person', async () => {
		const told: string[] = [];
		const answered = Promise.withResolvers<void>();
		const quiet = Promise.withResolvers<void>();
		const other = createWatchdog({quietMs: 20, onSilence: () => quiet.resolve()});
		const watchdog = createWatchdog({
			quietMs: 5,
			onSilence: silence => told.push(`${silence?.since}`),
		});
		const waiting = watchdog.during(() => answered.promise);
		await quiet.promise;
		other.end();
		expect(told).toEqual([]);
		answered.resolve();
		await waiting;
		watchdog.end();
	});
});
