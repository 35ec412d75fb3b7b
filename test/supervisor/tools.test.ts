import {existsSync, mkdirSync, readFileSync, statSync} from 'node:fs';
import {Server} from 'node:net';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {eventText} from '../../src/client/texts/event-text.ts';
import {connect} from '../../src/control/send.ts';
import {readCall} from '../../src/signals/call.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {createNotices} from '../../src/supervisor/notices.ts';
import {createHeldCalls, createTools, type Tools} from '../../src/supervisor/tools.ts';
import type {CallResult, HeldNotice} from '../../src/tools/access.ts';
import {callSupervisor} from '../../src/tools/server.ts';
import {type Given, planned, working} from '../helpers/given.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const question = {questions: [{question: 'Which port?', options: ['80', '8080']}]};

const sessionFolder = () => repositoryFolder(temporaryFolder(), 'repository').session('DEL-1');

/** The tools of a session in memory; its replies are handed over as a supervisor does it. */
const toolsOf = (
	given: Given,
	notices = createNotices([]),
	onResult = (_: string) => {},
	folder = sessionFolder(),
): Tools => {
	vi.stubEnv('XDG_RUNTIME_DIR', temporaryFolder());
	const tools = createTools({
		folder,
		version: '1',
		program: ['node', 'delegate-tui'],
		state: given.state,
		append: async bodies => {
			given.tell(...bodies);
			tools.letGo(given.state());
		},
		notices,
		onResult,
	});
	onTestFinished(async () => {
		await tools.close();
		vi.unstubAllEnvs();
	});
	return tools;
};

type Calling = {
	readonly result: Promise<CallResult>;
	/** Settles when the call is held. */
	readonly held: Promise<HeldNotice>;
};

const call = async (
	tools: Tools,
	tool: string,
	fields: Readonly<Record<string, unknown>>,
	agent = 'AGT-001',
): Promise<Calling> => {
	const access = await tools.open(agent);
	const {promise, resolve} = Promise.withResolvers<HeldNotice>();
	const {signal} = new AbortController();
	const result = callSupervisor(access, {tool, fields, signal, onHeld: resolve});
	return {result, held: promise};
};

const said = async (tools: Tools, tool: string, fields: Readonly<Record<string, unknown>>) =>
	(await (await call(tools, tool, fields)).result).text;

test('the next call tells once what was refused and reverted', async () => {
	const notices = createNotices([]);
	const tools = toolsOf(working(['AGT-001']), notices);
	notices.add('AGT-001', {kind: 'reverted', what: 'readme.md', why: 'not allowed'});
	const progress = {phase: 'P', status: 's'};
	expect(await said(tools, 'progress', progress)).toBe(
		'NOT DONE\n- reverted: readme.md, because: your scope does not allow it\n\nNoted. Go on.',
	);
	expect(await said(tools, 'progress', progress)).toBe('Noted. Go on.');
});

test('a result is short, and what does not fit stands in a file of the worktree', async () => {
	const notices = createNotices([]);
	const folder = sessionFolder();
	const {tree} = folder.agent('AGT-001');
	const tools = toolsOf(working(['AGT-001']), notices, () => {}, folder);
	const tellMuch = async (): Promise<string> => {
		notices.add('AGT-001', {kind: 'reverted', what: 'ä'.repeat(3000), why: 'forbidden'});
		return said(tools, 'progress', {phase: 'P', status: 's'});
	};

	expect(Buffer.byteLength(await tellMuch())).toBeGreaterThan(6000);
	mkdirSync(tree, {recursive: true});
	const short = await tellMuch();
	expect(Buffer.byteLength(short)).toBeLessThan(2048);
	expect(short).toMatch(/ä\n- \(cut here\)\nIn full: \.delegate\/result-2\.md$/);
	expect(readFileSync(join(tree, '.delegate/result-2.md'), 'utf8')).toContain(
		'your scope forbids it',
	);
});

test('tools are served by HTTP once for all who ask at a time, and again where that failed', async () => {
	const tools = toolsOf(working(['AGT-001']));
	await tools.open('AGT-001');
	const listening = vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(() => {
		throw new Error('no port is free');
	});
	onTestFinished(() => listening.mockRestore());
	await expect(tools.httpFor('AGT-001')).rejects.toThrow('no port is free');
	const [one, other] = await Promise.all([tools.httpFor('AGT-001'), tools.httpFor('AGT-001')]);
	expect(one).toEqual(other);
});

test('whose call has its result is known by then', async () => {
	const answered: string[] = [];
	const tools = toolsOf(working(['AGT-001']), createNotices([]), agent => answered.push(agent));
	await said(tools, 'progress', {phase: 'P', status: 's'});
	expect(answered).toEqual(['AGT-001']);
});

test('each tool tells what came of it', async () => {
	const given = working(['AGT-001']);
	const tools = toolsOf(given);
	expect(await said(tools, 'progress', {phase: 'Tests', status: 'ran 3/4'})).toBe('Noted. Go on.');
	expect(await said(tools, 'finding', {finding: 'It is slow'})).toBe('Noted. Go on.');
	expect(await said(tools, 'delegate', {new_task_description: ['A', 'B']})).toBe(
		'A person decides on d-1, d-2. Go on meanwhile; you will be told.',
	);
	expect(await said(tools, 'stop_work', {details: 'No disk'})).toBe(
		'Parked. A person decides on b-1. End your turn now; you will be prompted with the decision.',
	);
	expect(await said(tools, 'complete', {status: 'success'})).toBe(
		'Noted. End your turn now; a person looks at your work.',
	);
	expect(given.kinds()).toEqual(['delegation', 'delegation', 'blocker']);
});

test('a question is held until its answer is handed over', async () => {
	const given = working(['AGT-001'], {settings: {quickMs: 20_000}});
	const tools = toolsOf(given);
	const {result, held} = await call(tools, 'ask', question);
	expect(await held).toEqual({items: ['q-1'], forMs: 8000});
	given.decide('q-1', '8080');
	expect(tools.give('AGT-001', given.agent('AGT-001').replies)).toEqual(['q-1']);
	expect(await result).toEqual({
		text: 'CLARIFICATION RESPONSE\nQuestion: Which port?\nANSWER q-1: 8080',
		isError: false,
	});
});

test('a reply is taken by nobody but who waits for it', async () => {
	const given = working(['AGT-001', 'AGT-002']);
	given.says('AGT-001', '[CLARIFICATION_NEEDED]\nquestions: [Why?]\n[/CLARIFICATION_NEEDED]\n');
	given.decide('q-1', 'so');
	const {replies} = given.agent('AGT-001');
	const calls = createHeldCalls();
	const gone = new AbortController();
	const signal = readCall('ask', question);
	if (signal === undefined) {
		throw new Error('there is such a tool');
	}

	const held = {agent: 'AGT-001', signal, items: ['q-1'], gone: gone.signal};
	const abandoned = calls.hold(held);
	expect(calls.give('AGT-002', replies)).toEqual([]);
	gone.abort();
	expect(calls.give('AGT-001', replies)).toEqual([]);
	expect((await abandoned).text).toContain('Parked.');

	const kept = calls.hold({...held, gone: new AbortController().signal});
	expect(calls.give('AGT-001', replies)).toEqual(['q-1']);
	expect((await kept).text).toContain('ANSWER q-1: so');
	expect(calls.give('AGT-001', replies)).toEqual([]);
});

test('a question is let go when its time is over', async () => {
	const given = working(['AGT-001']);
	const tools = toolsOf(given);
	const {result, held} = await call(tools, 'ask', question);
	await held;
	given.pass('listening:');
	tools.letGo(given.state());
	expect((await result).text).toContain('Parked. A person answers q-1. End your turn now;');
});

test('a question that escalates at once is not held', async () => {
	const tools = toolsOf(working(['AGT-001'], {settings: {quickMs: 0}}));
	expect(await said(tools, 'ask', question)).toContain('Parked. A person answers q-1.');
});

test('two calls with the same words wait for the same answer', async () => {
	const given = working(['AGT-001']);
	const tools = toolsOf(given);
	const first = await call(tools, 'ask', question);
	await first.held;
	const second = await call(tools, 'ask', question);
	expect((await second.held).items).toEqual(['q-1']);
	given.decide('q-1', '80');
	tools.give('AGT-001', given.agent('AGT-001').replies);
	const [one, other] = await Promise.all([first.result, second.result]);
	expect(one).toEqual(other);
	expect(one.text).toContain('ANSWER q-1: 80');
});

test('nobody is heard between turns', async () => {
	const given = planned(['AGT-001']);
	const tools = toolsOf(given);
	const {result} = await call(tools, 'complete', {status: 'success'});
	expect(await result).toMatchObject({isError: true, text: expect.stringContaining('between')});
	expect(given.events().filter(({kind}) => kind === 'signal.said')).toEqual([]);
});

test('who speaks is told by the socket and its token, never by the fields', async () => {
	const given = working(['AGT-001', 'AGT-002']);
	const tools = toolsOf(given);
	const [one, other] = await Promise.all([tools.open('AGT-001'), tools.open('AGT-002')]);
	expect(one.token).toMatch(/^[\w-]{43}$/);
	expect(one.token).not.toBe(other.token);
	expect(statSync(dirname(one.socket)).mode & 0o777).toBe(0o700);

	const crossed = {socket: one.socket, token: other.token};
	const {signal} = new AbortController();
	const finding = {tool: 'finding', fields: {finding: 'x'}, signal, onHeld: () => {}};
	await expect(callSupervisor(crossed, finding)).rejects.toThrow('does not belong to this agent');
	await call(tools, 'finding', {finding: 'x', agent_id: 'AGT-002'}).then(({result}) => result);
	const said = given.events().at(-1);
	expect(said).toMatchObject({agent: 'AGT-001', signal: {kind: 'finding', agent: 'AGT-002'}});
	expect(said && eventText(said)).toContain('AGT-001  found out: x (names itself AGT-002)');
});

test('what is no call, and a tool that is not there, is refused', async () => {
	const tools = toolsOf(working(['AGT-001']));
	const {socket, token} = await tools.open('AGT-001');
	const control = await connect(socket);
	onTestFinished(control.close);
	await expect(control.request({do: 'stop'})).rejects.toThrow('This is not a tool call.');
	const merge = {token, tool: 'merge', fields: {}};
	await expect(control.request(merge)).rejects.toThrow('There is no tool merge.');
});

test('an agent starts its server by our own program, marked as a process of the agent', async () => {
	const tools = toolsOf(working(['AGT-001']));
	const {socket, token} = await tools.open('AGT-001');
	const environment = {DELEGATE_TURN: 'DEL-1/AGT-001', MY_SECRET: 'x'};
	expect(await tools.serverFor('AGT-001', environment)).toEqual({
		name: 'delegate-tui',
		command: 'node',
		args: ['delegate-tui', 'agent-tools'],
		env: [
			{name: 'DELEGATE_MCP_SOCKET', value: socket},
			{name: 'DELEGATE_MCP_TOKEN', value: token},
			{name: 'DELEGATE_TURN', value: 'DEL-1/AGT-001'},
		],
	});
});

test('the sockets go with the session', async () => {
	const tools = toolsOf(working(['AGT-001']));
	const {socket} = await tools.open('AGT-001');
	expect((await tools.open('AGT-001')).socket).toBe(socket);
	expect(existsSync(socket)).toBe(true);
	await tools.close();
	expect(existsSync(dirname(socket))).toBe(false);
	expect(existsSync(join(dirname(socket), '..'))).toBe(true);
});
