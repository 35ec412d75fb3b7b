import {randomUUID} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openConversation} from '../../../src/agents/acp/conversation.ts';
import {groupsContainment} from '../../../src/lib/process/containment.ts';
import {createFreezer} from '../../../src/lib/process/freezer.ts';
import {markedProcesses} from '../../helpers/marked-processes.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {byHand, converse, heardOut, open, summaries} from './converse.ts';

const failureOf = (command: readonly string[], options: object = {}) =>
	expect(open(command, options).then(() => 'opened')).rejects;

describe('a conversation', () => {
	it('offers neither files nor terminals, so that an agent works where the supervisor sees it', async () => {
		const heard = await heardOut(byHand('repeats'));
		expect(summaries(heard).map(said => JSON.parse(said))).toEqual([
			{fs: {readTextFile: false, writeTextFile: false}, terminal: false},
		]);
	});
});

describe('a conversation that can’t be opened', () => {
	it('for want of a program names it', async () => {
		await failureOf(['/nowhere/agent']).toMatchObject({
			kind: 'missing',
			message: 'The agent’s program "/nowhere/agent" was not found.',
		});
	});

	it('with an agent that never answers is given up, and leaves nothing behind', async () => {
		const mark = `TEST_AGENT=${randomUUID()}`;
		const environment = environmentWith(mark);
		const complaints = join(temporaryFolder(), 'complaints.txt');
		const patience = new AbortController();
		const freezer = {...createFreezer(), timeout: () => patience.signal};
		const failed = failureOf(silent, {complaints, environment, freezer, mark}).toMatchObject({
			kind: 'refused',
			message: 'The agent did not introduce itself in time.',
			hint: 'see whether its program starts by hand; it said last: waiting for a browser',
		});
		await expect.poll(() => readFileSync(complaints, 'utf8')).toContain('browser');
		patience.abort(new DOMException('It took too long.', 'TimeoutError'));
		await failed;
		expect(markedProcesses(mark)).toEqual([]);
	});

	it('with an agent that ends at once says how it ended', async () => {
		const program = ['sh', '-c', 'echo "no config" >&2; exit 7'];
		await failureOf(program).toMatchObject({
			kind: 'refused',
			message: 'The agent did not introduce itself: its process ended with code 7: no config',
		});
	});

	it('with an agent that speaks another version says so', async () => {
		await failureOf(byHand('fails', 'version')).toMatchObject({
			kind: 'missing',
			message: 'The agent speaks version 2 of the Agent Client Protocol, and only 1 is known here.',
		});
	});

	it('because nobody wants it any more ends its process', async () => {
		const mark = `TEST_AGENT=${randomUUID()}`;
		const abort = new AbortController();
		const opening = openConversation({
			command: silent,
			directory: temporaryFolder(),
			environment: environmentWith(mark),
			mark,
			containment: groupsContainment('for a test'),
			complaints: `${temporaryFolder()}/complaints.txt`,
			signal: abort.signal,
		});
		abort.abort();
		await expect(opening).rejects.toMatchObject({kind: 'refused'});
		expect(markedProcesses(mark)).toEqual([]);
	});
});

describe('an earlier conversation', () => {
	it('is loaded, else resumed, else started over', async () => {
		const {conversation, complaints} = await open(byHand('forgets'), {earlier: 's-0'});
		expect(conversation.id).toBe(`s-${conversation.pid}`);
		const heard = converse(conversation, 'ANSWER q: yes');
		await heard.turn.ended;
		await conversation.end();
		expect(complaints()).toBe('session/load\nsession/resume\nsession/new\n');
		expect(heard.signals.map(({kind}) => kind)).toEqual(['summary', 'completion_report']);
	});

	it('is started over where it can’t be taken up with the servers of tools, which are handed to the new one', async () => {
		const tools = [{name: 'ours', command: 'ours', args: [], env: []}];
		const options = {earlier: 's-0', tools};
		const {conversation, complaints} = await open(byHand('forgets', 'with-servers'), options);
		expect(conversation.id).toBe(`s-${conversation.pid}`);
		expect(conversation.tools).toEqual(['ours']);
		await conversation.end();
		expect(complaints()).toBe('session/load\nsession/resume\nsession/new\n');
		const {conversation: other} = await open(byHand('forgets', 'with-servers'), {earlier: 's-0'});
		expect(other.id).toBe('s-0');
	});

	it.each(['silently', 'with-null'])(
		'that an agent takes up %s and then refuses to answer in is begun anew, once',
		async how => {
			const looks: string[] = [];
			const spent = async (id: string) => {
				looks.push(id);
				return undefined;
			};
			const options = {earlier: 's-0', quirks: {spent}};
			const {conversation, complaints} = await open(byHand('forgets', how), options);
			const heard = converse(conversation, 'ANSWER q: yes', {anew: 'EXECUTION CONTEXT, ANSWER'});
			expect(await heard.turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
			expect(summaries(heard)).toEqual(['was told everything']);
			// Before the prompt of each conversation, and after it.
			expect(looks).toEqual(['s-0', 's-0', conversation.id, conversation.id]);
			expect(conversation.id).toBe(`s-${conversation.pid}`);
			expect(await conversation.beginAnew()).toBe(false);
			await conversation.end();
			expect(complaints()).toBe('session/load\nsession/resume\nrefuses\nsession/new\n');
		},
	);

	it.each(['thread-gone', 'resource-gone'])(
		'that is gone at its first prompt is begun anew: %s',
		async how => {
			const {conversation} = await open(byHand('forgets', how), {earlier: 's-0'});
			const heard = converse(conversation, 'ANSWER q: yes', {anew: 'EXECUTION CONTEXT, ANSWER'});
			expect(await heard.turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
			expect(summaries(heard)).toEqual(['was told everything']);
		},
	);

	it('that another program uses is waited for, and not given up', async () => {
		const unmet: string[] = [];
		const {conversation} = await open(byHand('forgets', '2'), {
			earlier: 's-0',
			wait: async () => {},
			onUnmet: what => unmet.push(what),
		});
		expect(conversation.id).toBe('s-0');
		expect(unmet).toEqual(['Another program uses its conversation, so it waits for that.']);
	});

	it('that another program goes on using is the reason why it does not start', async () => {
		const opening = open(byHand('forgets', '1000'), {
			earlier: 's-0',
			wait: () => Promise.reject(new Error('it took too long')),
		});
		await expect(opening).rejects.toThrow(
			'Its conversation is in use: This session is in use by another client',
		);
	});

	it('that is refused in the new one as well has failed', async () => {
		const {conversation, complaints} = await open(byHand('forgets', 'for-good'), {earlier: 's-0'});
		const heard = converse(conversation, 'ANSWER q: yes', {anew: 'EXECUTION CONTEXT, ANSWER'});
		expect(await heard.turn.ended).toMatchObject({
			end: {by: 'error', trouble: {kind: 'refused'}},
		});
		await conversation.end();
		expect(complaints().match(/refuses/g)).toHaveLength(2);
	});
});

describe('what an agent plays once more of an earlier conversation', () => {
	it('is dropped, also when it comes after the answer', async () => {
		const never = () => new Promise<void>(() => {});
		const {conversation} = await open(byHand('plays-late'), {earlier: 's-1', wait: never});
		const heard = converse(conversation, 'go');
		await heard.turn.ended;
		expect(summaries(heard)).toEqual(['new']);
		expect(heard.transcript()).toBe('SUMMARY: new\n');
	});
});

describe('a conversation that is ended', () => {
	it('takes along an agent that does not listen, and what it left running', async () => {
		const mark = `TEST_AGENT=${randomUUID()}`;
		const {conversation} = await open(byHand('asks-and-waits', 'deaf'), {
			environment: environmentWith(mark),
			mark,
		});
		const heard = converse(conversation, 'go');
		await heard.said;
		expect(markedProcesses(mark)).toHaveLength(2);
		await conversation.end();
		expect(markedProcesses(mark)).toEqual([]);
		expect((await heard.turn.ended).end).toEqual({by: 'signal', signal: 'SIGTERM'});
	});
});

/** Reads everything and answers nothing. */
const silent = ['sh', '-c', 'echo "waiting for a browser" >&2; while read -r _; do :; done'];

const environmentWith = (mark: string): Record<string, string> => ({
	PATH: process.env.PATH ?? '',
	TEST_AGENT: mark.slice('TEST_AGENT='.length),
});
