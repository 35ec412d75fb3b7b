import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {describe, expect, it, onTestFinished} from 'vitest';
import {sceneCommand} from '../../helpers/plan-file.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {converse, type Heard, heardOut, open, type Rule} from '../acp/converse.ts';

type Steps = readonly Record<string, unknown>[];

const stage = (steps: Steps) => open(sceneCommand({steps}));

/** Plays a scene in one turn, to its end. */
const play = (steps: Steps, more = {}, rule?: Rule) =>
	heardOut(sceneCommand({...more, steps}), rule);

const refuse: Rule = () => ({kind: 'refuse', why: 'no'});

const kinds = ({signals}: Heard): readonly string[] => signals.map(({kind}) => kind);

const contentOf = (directory: string, path: string): string =>
	readFileSync(join(directory, path), 'utf8');

/** Starts a scripted agent that nobody ends: a conversation would, a while after it let go of it. */
const start = (scene: Readonly<Record<string, unknown>>) => {
	const [program = '', ...words] = sceneCommand(scene);
	const directory = temporaryFolder();
	const child = spawn(program, words, {
		cwd: directory,
		env: {PATH: process.env.PATH, TMPDIR: directory},
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
	let id = 0;
	const send = (method: string, params: object): void => {
		child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id: ++id, method, params})}\n`);
	};

	return {
		directory,
		input: child.stdin,
		exited: once(child, 'exit'),
		send,
		ask: async (method: string, params: object) => {
			send(method, params);
			return JSON.parse((await lines.next()).value ?? '').result;
		},
	};
};

describe('a scripted agent', () => {
	it('thinks, plans, writes and edits for real, and tells of it as agents do', async () => {
		const heard = await play([
			{think: 'Hm.'},
			{plan: [{content: 'Write', status: 'in_progress'}, {content: 'Rest'}]},
			{write: {path: 'src/a.txt', text: 'one two'}},
			{edit: {path: 'src/a.txt', find: 'two', replace: '$& three'}},
			{complete: {deliverables: ['src/a.txt']}},
		]);
		const {directory} = heard;
		expect((await heard.turn.ended).end).toEqual({by: 'exit', code: 0});
		expect(contentOf(directory, 'src/a.txt')).toBe('one $& three');
		expect(heard.details.slice(0, 2)).toEqual([
			{kind: 'thought', text: 'Hm.'},
			{
				kind: 'plan',
				entries: [
					{content: 'Write', priority: 'medium', status: 'in_progress'},
					{content: 'Rest', priority: 'medium', status: 'pending'},
				],
			},
		]);
		const tools = heard.details.flatMap(detail => (detail.kind === 'tool' ? [detail] : []));
		expect(tools.map(({title, status}) => `${title}: ${status}`)).toEqual([
			'Write src/a.txt: pending',
			'Write src/a.txt: in_progress',
			'Write src/a.txt: completed',
			'Edit src/a.txt: pending',
			'Edit src/a.txt: in_progress',
			'Edit src/a.txt: completed',
		]);
		expect(heard.requests.map(({kind, paths}) => [kind, paths])).toEqual([
			['edit', [join(directory, 'src/a.txt')]],
			['edit', [join(directory, 'src/a.txt')]],
		]);
		expect(heard.signals).toMatchObject([
			{kind: 'completion_report', status: 'success', deliverables: ['src/a.txt']},
		]);
	});

	it('does nothing that it was refused, and goes on', async () => {
		const steps = [
			{write: {path: 'a.txt', text: 'a'}},
			{run: 'touch b.txt'},
			{'leave-scope': {path: 'c.txt', text: 'c'}},
			{'leave-scope': {path: 'd.txt', text: 'd', ask: false}},
			{complete: {}},
		];
		const heard = await play(steps, {}, refuse);
		const isThere = (name: string) => existsSync(join(heard.directory, `${name}.txt`));
		expect(['a', 'b', 'c', 'd'].filter(isThere)).toEqual(['d']);
		expect(kinds(heard)).toEqual(['completion_report']);
	});

	it('runs a command that it may, with its outcome', async () => {
		const heard = await play([{run: 'echo x > x.txt; exit 3'}, {stop: {details: 'x'}}]);
		expect(contentOf(heard.directory, 'x.txt')).toBe('x\n');
		expect(heard.details.at(-1)).toMatchObject({kind: 'tool', status: 'failed'});
		expect(heard.requests[0]).toMatchObject({kind: 'execute', command: 'echo x > x.txt; exit 3'});
	});

	it('waits for words behind a question, and puts the answer where the scene wants it', async () => {
		const {conversation, directory} = await stage([
			{ask: {id: 'port', question: 'Which port?', options: ['1', '2']}},
			{checkpoint: {progress: 40, request: 'MERGE', questions: ['Is {{port}} right?']}},
			{delegate: {task: 'Measure', blocks: true}},
			{stop: {details: 'No network', needs: 'a network'}},
			{write: {path: 'port.txt', text: '{{port}} {{unknown}}'}},
			{complete: {status: 'partial'}},
		]);
		const turns: Heard[] = [];
		for (const prompt of ['go', 'ANSWER port: 8080', 'on', 'on', 'on']) {
			const heard = converse(conversation, prompt);
			await heard.turn.ended;
			turns.push(heard);
		}

		expect(turns.flatMap(({signals}) => signals)).toMatchObject([
			{kind: 'clarification_needed', questions: [{id: 'port', options: ['1', '2']}]},
			{kind: 'checkpoint', progress: 40, request: 'MERGE', questions: ['Is 8080 right?']},
			{kind: 'delegate_work', independence: 'blocks_current_work'},
			{kind: 'stop_work', details: 'No network'},
			{kind: 'completion_report', status: 'partial'},
		]);
		expect(turns.map(kinds)).toHaveLength(5);
		expect(contentOf(directory, 'port.txt')).toBe('8080 {{unknown}}');
	});

	it('goes on with a delegation that does not hold it up, and reports again when it is asked again', async () => {
		const {conversation} = await stage([{delegate: {task: 'Measure'}}, {complete: {}}]);
		const first = converse(conversation, 'go');
		await first.turn.ended;
		const second = converse(conversation, 'REVIEW FEEDBACK');
		await second.turn.ended;
		expect(kinds(first)).toEqual(['delegate_work', 'completion_report']);
		expect(kinds(second)).toEqual(['completion_report']);
	});

	it('crashes with a last word, and goes on behind that in another process', async () => {
		const directory = temporaryFolder();
		const command = sceneCommand({
			steps: [
				{write: {path: 'a.txt', text: 'a'}},
				{say: 'SUMMARY: written'},
				{crash: {code: 9, complaint: 'no more'}},
				{complete: {}},
			],
		});
		const first = await open(command, {directory});
		const heard = converse(first.conversation, 'go');
		expect(await heard.turn.ended).toMatchObject({
			end: {by: 'exit', code: 9},
			lastError: 'no more',
		});

		const second = await open(command, {directory, earlier: first.conversation.id});
		expect(second.conversation.id).toBe(first.conversation.id);
		const again = converse(second.conversation, 'RESUMED');
		await again.turn.ended;
		expect(kinds(heard)).toEqual(['summary']);
		expect(kinds(again)).toEqual(['completion_report']);
		expect(again.requests).toEqual([]);
	});

	it('floods, and is understood behind it', async () => {
		const heard = await play([{flood: {lines: 2000, line: 'noise'}}, {complete: {}}]);
		expect(heard.transcript().startsWith('noise\n'.repeat(2000))).toBe(true);
		expect(kinds(heard)).toEqual(['completion_report']);
	});

	it('stops in the middle of a wait when it is told to', async () => {
		const {conversation} = await stage([{say: 'SUMMARY: waiting'}, {wait: 600}, {complete: {}}]);
		const heard = converse(conversation, 'go');
		await heard.said;
		await heard.turn.stop();
		expect((await heard.turn.ended).end).toEqual({by: 'stopped'});
		expect(kinds(heard)).toEqual(['summary']);
	});

	it.each(['cancel', 'end-turn'])('stops at a refusal where the scene says: %s', async how => {
		const heard = await play([{run: 'make'}, {complete: {}}], {'on-refusal': how}, refuse);
		expect(heard.requests).toHaveLength(1);
		expect(kinds(heard)).toEqual(['completion_report']);
	});

	it('ends when nobody talks to it any more', async () => {
		const {directory, exited, ask, send, input} = start({steps: [{wait: 600}]});
		await ask('initialize', {protocolVersion: 1, clientCapabilities: {}});
		const {sessionId} = await ask('session/new', {cwd: directory, mcpServers: []});
		send('session/prompt', {sessionId, prompt: [{type: 'text', text: 'go'}]});
		input.end();
		expect(await exited).toEqual([0, null]);
	});
});

describe('the command that plays a scene', () => {
	it('says what is wrong with the scene, and where', () => {
		const folder = temporaryFolder();
		mkdirSync(folder, {recursive: true});
		const file = join(folder, 'scene.yaml');
		writeFileSync(file, 'steps:\n  - sing: a\n');
		const program = resolve(import.meta.dirname, '../../../bin/delegate-tui.cjs');
		const run = () =>
			execFileSync(process.execPath, [program, 'scripted-agent', file], {stdio: 'pipe'});
		expect(run).toThrow(`${file}:2:11: error: A step is one of say, think`);
		expect(run).toThrow(expect.objectContaining({status: 2}));
	});
});
