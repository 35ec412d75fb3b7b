import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {report} from '../../../fixtures/agents/acp/serve.ts';
import type {Quirks} from '../../../src/agents/acp/quirks.ts';
import {markedProcesses} from '../../helpers/marked-processes.ts';
import {processesWith} from '../../helpers/processes-with.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {byHand, converse, heardOut, open, summaries} from './converse.ts';

describe('what an agent says', () => {
	it('is heard although it prints what is no message and asks what nobody knows, and is not quoted where it reports', async () => {
		const heard = await heardOut(byHand('garbage'));
		const outcome = await heard.turn.ended;
		expect(outcome).toMatchObject({end: {by: 'exit', code: 0}});
		expect(outcome).not.toHaveProperty('lastWords');
		expect(heard.transcript()).toContain('Before. After -32601.\n');
		expect(heard.signals.map(({kind}) => kind)).toEqual(['completion_report']);
	});

	it('is understood wherever it is cut', async () => {
		const {conversation} = await open(byHand('torn-text'));
		for (const length of [1, 2, 3, 5, 7, 1000]) {
			const heard = converse(conversation, `${length}`);
			await heard.turn.ended;
			expect(heard.signals, `after every ${length}`).toMatchObject([
				{kind: 'stop_work', details: 'needs a 🔑 first'},
				{kind: 'summary', value: 'done 🌍'},
			]);
			expect(heard.transcript()).not.toContain('\uFFFD');
		}
	});
});

describe('an agent that says nothing of how its work stands', () => {
	it('is quoted with its last words, since some tell only so that their model failed', async () => {
		const heard = await heardOut(byHand('complains'));
		expect(await heard.turn.ended).toMatchObject({
			end: {by: 'exit', code: 0},
			lastWords: 'exceeded retry limit, last status: 429 Too Many Requests',
		});
	});

	it('has failed by its last words, where it is known to tell so by the first of them', async () => {
		const retried = 'Failed to get response from the AI model; retried 5 times Last error:';
		const network = 'Failed native model HTTP request: error reading a body from connection';
		const known: readonly (readonly [string, string])[] = [
			['|Info: Retrying...|Error: 402 Your credit balance is too low', 'credit'],
			['|Error: 429 Too many requests', 'rate'],
			["|Error: Model 'gpt-4.1' not found on provider (HTTP 404).\n  Check it.", 'model'],
			['|Error: Authentication failed with provider (HTTP 401).', 'login'],
			['|Error: The provider rejected the prompt as too long.', 'context'],
			[`|Error: ${retried} 502 Bad Gateway`, 'service'],
			[`|Error: ${retried} 529 Overloaded`, 'overloaded'],
			[`|Error: ${retried} ${network}`, 'network'],
		];
		const {conversation} = await open(byHand('complains'), {quirks: {failsBy: 'Error: '}});
		for (const [words, kind] of known) {
			const {turn} = converse(conversation, words);
			expect(await turn.ended).toMatchObject({end: {by: 'error', trouble: {kind}}});
		}

		const {turn} = converse(conversation, '|Error: 402|That is what the test prints.');
		expect(await turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
	});
});

describe('commands of an agent’s own', () => {
	it('are told as it announces them, in one line each', async () => {
		const told: unknown[] = [];
		await open(byHand('offers-commands'), {onCommands: commands => told.push(commands)});
		expect(told).toEqual([
			[
				{name: 'compact', description: 'Summarize the conversation'},
				{name: 'breaks', description: 'Fails'},
			],
		]);
	});

	it('are sent as they stand before the prompt, and one that fails ends no turn', async () => {
		const {conversation} = await open(byHand('offers-commands'));
		const commands = ['/compact the tests', '/breaks'];
		const heard = converse(conversation, 'go on', {commands});
		expect((await heard.turn.ended).end).toEqual({by: 'exit', code: 0});
		expect(summaries(heard)).toEqual(['/compact the tests | /breaks | go on']);
		const what = 'Its own command /breaks failed: It broke';
		expect(heard.details).toContainEqual({kind: 'unmet', what});
	});

	it('that come once the turn is ended from outside are not sent', async () => {
		const {conversation} = await open(byHand('offers-commands'));
		const heard = converse(conversation, 'go on', {commands: ['/compact']});
		await heard.turn.interrupt();
		expect((await heard.turn.ended).end).toEqual({by: 'stopped'});
		expect(summaries(heard)).toEqual([]);
	});

	it('are not sent after one during which the turn is ended from outside', async () => {
		const {conversation} = await open(byHand('offers-commands'));
		const heard = converse(conversation, 'go on', {commands: ['/waits', '/compact']});
		await heard.said;
		await heard.turn.interrupt();
		const next = converse(conversation, 'what came?');
		await next.turn.ended;
		expect(summaries(next)).toEqual(['/waits | what came?']);
	});
});

describe('an agent that asks leave', () => {
	it('is answered by the kind of its options, and never for good', async () => {
		const heard = await heardOut(byHand('odd-options'));
		expect(summaries(heard)).toEqual(['yes no cancelled']);
	});

	it('is judged by all that it told of a tool, announced or not', async () => {
		const heard = await heardOut(byHand('unannounced'), ({number}) =>
			number === 1 ? {kind: 'allow'} : {kind: 'refuse', why: 'no'},
		);
		expect(heard.requests).toEqual([
			{number: 1, title: '', kind: 'edit', paths: ['src/a.txt', 'other.txt']},
			{number: 2, title: 'Apply', kind: 'edit', paths: ['src/b.txt', '/etc/passwd']},
		]);
		expect(summaries(heard)).toEqual(['once no']);
		expect(heard.details).toContainEqual({
			kind: 'tool',
			id: 'patch',
			title: '',
			tool: 'edit',
			status: 'pending',
			paths: ['src/a.txt'],
			diffs: [{path: 'src/a.txt', oldText: '', newText: 'a'}],
		});
	});

	it('for something beside its tool is judged by what the tool does as well', async () => {
		const heard = await heardOut(byHand('asks-beside'));
		expect(heard.requests).toEqual([
			{
				number: 1,
				title: '/elsewhere',
				kind: 'other',
				about: 'edit',
				paths: ['/elsewhere/a.txt', '/elsewhere'],
			},
			{
				number: 2,
				title: 'cat /elsewhere/a.txt',
				kind: 'other',
				about: 'execute',
				paths: ['/elsewhere'],
				command: 'cat /elsewhere/a.txt',
			},
			{
				number: 3,
				title: 'patch',
				kind: 'execute',
				about: 'edit',
				paths: ['src/a.txt'],
				command: 'apply it',
			},
		]);
		const tools = heard.details.filter(detail => detail.kind === 'tool');
		expect(tools.findLast(({id}) => id === 'write')?.tool).toBe('edit');
	});

	it.each([
		[true, 'once'],
		[false, 'no'],
	])('waits for a person, who allows it: %s', async (allowed, chosen) => {
		const {conversation} = await open(byHand('asks-and-waits'));
		const heard = converse(conversation, 'go', {
			rule: () => ({kind: 'ask', request: 'r'}),
		});
		expect(await heard.asked()).toMatchObject({command: 'make'});
		heard.turn.permit([
			{item: 'pm-8', request: 'another', allowed: !allowed},
			{item: 'pm-9', request: 'r', allowed},
		]);
		await heard.turn.ended;
		expect(summaries(heard)[0]).toBe(chosen);
	});

	it('twice at once is answered to each in its own way, whatever conversation it names, behind 30 MB in one piece', async () => {
		const length = 30 * 2 ** 20;
		const {conversation} = await open(byHand('asks-at-once', String(length)));
		const asked: string[] = [];
		const heard = converse(conversation, 'go', {
			rule: ({title}) => {
				asked.push(title);
				return {kind: 'ask', request: title};
			},
		});
		while (asked.length < 2) {
			await heard.asked();
		}

		heard.turn.permit([{item: 'pm-2', request: 'two', allowed: true}]);
		heard.turn.permit([{item: 'pm-1', request: 'one', allowed: false}]);
		expect(await heard.turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
		expect(summaries(heard)).toEqual(['no once']);
		expect(heard.transcript().indexOf('\n')).toBe(length);
	});
});

describe('an agent that is refused something', () => {
	const refuse = () => ({kind: 'refuse', why: 'other.txt: not allowed'}) as const;

	it.each(['cancelled', 'end_turn'])(
		'and stops with %s is told why, and goes on',
		async stopReason => {
			const heard = await heardOut(byHand('gives-up', stopReason), refuse);
			expect(await heard.turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
			expect(heard.requests).toHaveLength(1);
			expect(summaries(heard)).toEqual(['- Edit it: other.txt: not allowed']);
			expect(heard.signals.at(-1)?.kind).toBe('completion_report');
		},
	);

	it('is told in its turn where it takes words there', async () => {
		const heard = await heardOut(byHand('hears-why'), refuse);
		expect(summaries(heard)).toEqual([
			'NOT DONE',
			'- refused: Edit it, because: other.txt: not allowed',
		]);
	});

	it('is not told again when it stops after that, unless it was stopped by it', async () => {
		const promptsAfter = async (stopReason: string): Promise<number> => {
			const heard = await heardOut(byHand('hears-why', stopReason), refuse);
			return summaries(heard).filter(said => said.startsWith('prompted again')).length;
		};
		expect(await promptsAfter('end_turn')).toBe(0);
		expect(await promptsAfter('cancelled')).toBe(1);
	});

	it('and stops again and again is not told for ever', async () => {
		const heard = await heardOut(byHand('gives-up', 'cancelled', '1000'), refuse);
		expect(await heard.turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
		expect(heard.requests).toHaveLength(11);
	});
});

it.each([
	['/init with @docs/a.md.', '/init with `@docs/a.md.`'],
	['@"my docs/a.md" and a@b.org @', '`@"my docs/a.md"` and a@b.org @'],
	['the lines below @@ -1,3 +1,4 @@', 'the lines below @@ -1,3 +1,4 @@'],
])(
	'a file that a person names in a prompt is put into it by no agent, and stays as it is for those that would not: %s',
	async (said, told) => {
		const toldTo = async (quirks: Quirks) => {
			const {conversation} = await open(byHand('gives-up', 'end_turn', '0'), {quirks});
			const heard = converse(conversation, `MESSAGE\n${said}`);
			await heard.turn.ended;
			return summaries(heard);
		};
		expect(await toldTo({expandsMentions: true})).toEqual([told]);
		expect(await toldTo({})).toEqual([said]);
	},
);

describe('a message of a person', () => {
	const message = {
		item: 'm-1',
		heading: 'MESSAGE',
		about: '',
		text: 'use the clock of @docs/a.md',
	} as const;
	const told = async (way: string, quirks: Quirks = {}) => {
		const {conversation} = await open(byHand('hears-words', way), {quirks});
		const heard = converse(conversation, 'go', {rule: () => ({kind: 'ask', request: 'r'})});
		await heard.asked();
		const came = heard.turn.reply([message]);
		heard.turn.permit([{item: 'pm-1', request: 'r', allowed: true}]);
		return {came: await came, heard, takesWords: heard.turn.takesWords};
	};

	it.each([
		['steers', {expandsMentions: true}],
		['joins', {joinsPrompts: true, expandsMentions: true}],
	])(
		'is told in the turn, once the agent has used its tool, to one that %s',
		async (way, quirks) => {
			const {came, heard} = await told(way, quirks);
			expect(came).toBe(true);
			expect(await heard.turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
			expect(summaries(heard)).toEqual([
				'after its tool: MESSAGE / The person says: use the clock of `@docs/a.md`',
			]);
		},
	);

	it('alone is said in a turn: the answer to a call that is gone comes with the next prompt', async () => {
		const {conversation} = await open(byHand('hears-words', 'steers'));
		const heard = converse(conversation, 'go', {rule: () => ({kind: 'ask', request: 'r'})});
		await heard.asked();
		const answer = {...message, item: 'q-1', heading: 'CLARIFICATION RESPONSE'} as const;
		expect(await heard.turn.reply([answer])).toBe(false);
	});

	it('that comes once the turn is over is not waited for', async () => {
		const {turn} = await heardOut(byHand('hears-words', 'reports'));
		expect(await turn.reply([message])).toBe(false);
	});

	it('waits for the next turn where the agent takes none in its turn', async () => {
		const {came, takesWords} = await told('reports');
		expect([came, takesWords]).toEqual([false, undefined]);
	});
});

describe('a question said behind a passage that has no line end', () => {
	it.each([
		...[['end_turn'], ['cancelled'], ['leave'], ['begin'], ['tool'], ['echo']],
		...['end_turn', 'leave', 'begin', 'echo'].map(end => [end, 'message-1']),
	])('is heard after the kind of end that is %s', async (...end) => {
		const refuse = () => ({kind: 'refuse', why: 'other.txt: not allowed'}) as const;
		const heard = await heardOut(byHand('ends-no-line', ...end), refuse);
		expect(heard.signals).toMatchObject([{kind: 'clarification_needed', line: 2}]);
		expect(heard.transcript()).toMatch(/^Info: Operation cancelled by user\n\[CLAR/);
	});
});

it('words of the agent’s own that have no line end are no part of what its model says next', async () => {
	const says = (text: string) => ({
		sessionUpdate: 'agent_message_chunk',
		content: {type: 'text', text},
	});
	const updates = [
		says('Info: Disabled tools: task'),
		says('[STOP_WORK]\ndetails: no\n[/STOP_WORK]'),
	];
	const agent = byHand('stops', 'end_turn', JSON.stringify(updates));
	const kinds = async (quirks: Quirks) => {
		const heard = converse((await open(agent, {quirks})).conversation, 'go');
		await heard.turn.ended;
		return heard.signals.map(({kind}) => kind);
	};
	expect(await kinds({})).toEqual([]);
	expect(await kinds({notices: /^Info: Disabled tools: .*$/})).toEqual(['stop_work']);
});

describe('an agent whose process goes', () => {
	it.each([
		['3', {by: 'exit', code: 3}],
		['SIGKILL', {by: 'signal', signal: 'SIGKILL'}],
		['0', {by: 'error', cause: 'its process ended in the middle of a turn'}],
	])('with %s has failed, and what it said is kept', async (how, end) => {
		const {conversation} = await open(byHand('dies', how));
		const heard = converse(conversation, 'go');
		expect(await heard.turn.ended).toMatchObject({end, lastError: 'out of memory'});
		expect(summaries(heard)).toEqual(['said before']);
		expect(conversation.isGone()).toBe(true);
	});

	it.runIf(process.platform === 'linux')('takes along the program that it wraps', async () => {
		const sign = join(temporaryFolder(), 'wrapped');
		const {conversation} = await open(byHand('dies', 'SIGKILL', 'tail', '-F', sign));
		expect(processesWith(sign).length).toBeGreaterThan(1);
		const {turn} = converse(conversation, 'go');
		expect((await turn.ended).end).toEqual({by: 'signal', signal: 'SIGKILL'});
		expect(processesWith(sign)).toEqual([]);
	});
});

describe('a turn that is stopped', () => {
	it('is cancelled, with what waits in it, and its process ended', async () => {
		const {conversation} = await open(byHand('asks-and-waits'));
		const heard = converse(conversation, 'go', {
			rule: () => ({kind: 'ask', request: 'r'}),
		});
		await heard.asked();
		await heard.turn.stop();
		expect(await heard.turn.ended).toMatchObject({end: {by: 'stopped'}});
		expect(summaries(heard)).toEqual(['cancelled']);
		expect(markedProcesses(`pid=${conversation.pid}`)).toEqual([]);
		expect(conversation.isGone()).toBe(true);
	});
});

describe('an error of an agent', () => {
	it.each([
		['-32603', 'slow', 'rate_limit', 'rate', 'its model takes no more requests for now: slow'],
		['-32603', 'No', 'APIError', 'request', 'the service of its model refused the request: No'],
	])('%s %s %s is told as its true cause, of kind %s', async (code, message, name, kind, cause) => {
		const {turn} = await heardOut(byHand('fails', 'prompt', code, message, name));
		expect((await turn.ended).end).toMatchObject({by: 'error', cause, trouble: {kind}});
	});

	it.each([
		[{status: 'rejected', resetsAt: 1_795_835_400, rateLimitType: 'five_hour'}, '5-hour limit'],
		[{status: 'allowed', resetsAt: 1_795_835_400, rateLimitType: 'five_hour'}, undefined],
	])('is the limit that Claude’s adapter tells of in its field: %j', async (told, name) => {
		const limit = JSON.stringify(told);
		const agent = byHand('fails', 'prompt', '-32603', 'Full', 'rate_limit', limit);
		const {end} = await (await heardOut(agent)).turn.ended;
		expect(end).toMatchObject({by: 'error', trouble: {kind: 'rate', said: 'Full'}});
		const until = '2026-11-28T03:10:00.000Z';
		expect(end.by === 'error' && end.trouble?.limit).toEqual(name && {name, until});
	});

	it.each([
		['-32603', 'invalid x-api-key', 'APIError'],
		['-32000', 'Authentication required'],
	])(
		'for lack of a login is told with the command and the ways that help: %s',
		async (...words) => {
			const agent = byHand('fails', 'prompt', ...words);
			const {conversation} = await open(agent, {quirks: {login: 'run `it login`'}});
			expect((await converse(conversation, 'go').turn.ended).end).toMatchObject({
				by: 'error',
				cause: `it is not logged in, or its login was refused: ${words[1]}; to log in, run \`it login\`; it offers "Account" (In a browser. It opens) or "Key"`,
				trouble: {kind: 'login'},
			});
		},
	);
});

describe('a turn that its agent did not end by itself', () => {
	const ended = async (reason: string, ...updates: readonly unknown[]) => {
		const {turn} = await heardOut(byHand('stops', reason, JSON.stringify(updates)));
		return (await turn.ended).end;
	};

	const says = (text: string) => ({
		sessionUpdate: 'agent_message_chunk',
		content: {type: 'text', text},
	});

	const inError = {
		sessionUpdate: 'session_info_update',
		_meta: {codex: {threadStatus: {type: 'systemError'}}},
	};

	it.each([
		['refusal', 'refused', 'its model refused to answer the prompt'],
		['max_tokens', 'limit', 'its model reached its token limit for a turn'],
		['max_turn_requests', 'limit', 'it reached its limit of model requests for a turn'],
	])('but at %s has failed of %s, and says so', async (reason, kind, cause) => {
		const trouble = {kind, said: reason};
		expect(await ended(reason)).toEqual({by: 'error', cause, trouble});
	});

	it('has ended for a reason that nobody knows, and is not taken for one that failed', async () => {
		expect(await ended('tired')).toEqual({by: 'exit', code: 0});
	});

	it('has failed as Codex tells, which answers as if all were well', async () => {
		expect(
			await ended('end_turn', inError, says('unexpected status 402: No credit')),
		).toMatchObject({
			trouble: {kind: 'credit'},
			by: 'error',
			cause:
				'its account is out of credit: unexpected status 402: No credit; add some, then try again',
		});
	});

	it('counts as ended well once it has said how its work stands', async () => {
		expect(await ended('max_tokens', says(report))).toEqual({by: 'exit', code: 0});
		expect(await ended('end_turn', says(report), inError, says('503'))).toEqual({
			by: 'exit',
			code: 0,
		});
	});
});
