import {describe, expect, it} from 'vitest';
import type {AgentOrder} from '../../src/events/agent-order.ts';
import type {BodyOf} from '../../src/events/event.ts';
import {withSendable} from '../../src/rules/commands/why-not.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {
	accepted,
	ask,
	completed,
	type Given,
	parked,
	planned,
	report,
	saying,
	starting,
	working,
} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const stop: AgentOrder = {verb: 'stop'};

const refusal = (session: Given, order: AgentOrder = stop, agent = 'AGT-001') =>
	session.ask({kind: 'steer', agent, order});

/** Has an agent do something; fails when it is refused. */
const steer = (session: Given, order: AgentOrder, agent?: string): void => {
	expect(refusal(session, order, agent)).toBeUndefined();
};

describe('an agent that a person switches to another model or mode', () => {
	const known = {protocol: 'acp', command: ['codex-acp'], vendor: 'codex'} as const;
	const to = (what: 'model' | 'mode', to: string): AgentOrder => ({verb: 'switch', what, to});

	it('goes on with it in its conversation, and nothing else is changed', () => {
		const session = saying('SUMMARY: at work\n', [{...subtask('AGT-001'), agent: known}]);
		steer(session, to('model', 'gpt-6'));
		steer(session, to('mode', 'read-only'));
		expect(session.agent('AGT-001')).toMatchObject({
			state: 'RUNNING',
			replies: [],
			subtask: {agent: {...known, model: 'gpt-6'}, mode: 'read-only'},
		});
	});

	it('is not where it is not known to ask in that mode, or not known at all', () => {
		const session = saying('SUMMARY: at work\n', [{...subtask('AGT-001'), agent: known}]);
		expect(refusal(session, to('mode', 'agent-full-access'))).toBe(
			'AGT-001 is not known to ask before it acts in the mode agent-full-access; it does in read-only and workspace-write.',
		);
		expect(refusal(working(['AGT-001']), to('model', 'm'))).toContain('can’t be switched');
	});
});

describe('a command of an agent’s own', () => {
	const known = {protocol: 'acp', command: ['copilot'], vendor: 'copilot'} as const;
	const commands = [
		{name: 'compact', description: ''},
		{name: 'allow-all', description: ''},
	];
	const command = (text: string): AgentOrder => ({verb: 'message', text, command: true});
	const atWork = (): Given => {
		const session = saying('SUMMARY: at work\n', [{...subtask('AGT-001'), agent: known}]);
		session.tell({kind: 'commands.announced', agent: 'AGT-001', commands});
		return session;
	};

	it('waits for the next turn, also where words would be told in this one', () => {
		const session = atWork();
		const started = session.events().find(({kind}) => kind === 'turn.started');
		session.tell({...(started as BodyOf<'turn.started'>), takesWords: true});
		steer(session, command('/compact the tests'));
		expect(session.keys()).toEqual([]);
		expect(session.agent('AGT-001').replies).toMatchObject([
			{heading: 'MESSAGE', text: '/compact the tests', command: true},
		]);
	});

	it('is refused where the agent did not announce it', () => {
		const session = atWork();
		expect(refusal(session, command('/compac'))).toBe('AGT-001 offers no command /compac.');
		expect(refusal(session, command('compact'))).toBe('AGT-001 offers no command compact.');
		expect(refusal(working(['AGT-001']), command('/compact'))).toContain('offers no command');
	});

	it('is refused where it is known to switch off what the agent asks', () => {
		expect(refusal(atWork(), command('/allow-all on'))).toMatch(
			/^\/allow-all would change what AGT-001 asks before it acts; `mode:` in the plan/,
		);
	});

	it('goes once the agent starts over as another program, also where it waits to be sent', () => {
		const session = atWork();
		const as = {profile: 'codex', agent: {protocol: 'acp', command: ['codex-acp']}} as const;
		steer(session, command('/compact'));
		steer(session, {verb: 'message', text: 'mind the tests'});
		steer(session, {verb: 'restart', from: null, as});
		const {replies, ...agent} = session.agent('AGT-001');
		expect(agent).not.toHaveProperty('commands');
		expect(replies.map(({text}) => text)).toEqual([
			'mind the tests',
			expect.stringContaining('another agent began this'),
		]);
	});

	it('is not sent where the agent has come to announce it no more, and words are', () => {
		const session = atWork();
		steer(session, command('/compact'));
		steer(session, {verb: 'message', text: '/compact is for later'});
		session.tell({kind: 'commands.announced', agent: 'AGT-001', commands: []});
		const {sent, unsent} = withSendable(session.agent('AGT-001'));
		expect(sent.replies.map(({text}) => text)).toEqual(['/compact is for later']);
		expect(unsent).toEqual(['AGT-001 offers no command /compact.']);
	});
});

describe('an agent that a person stops', () => {
	it('is out of the session at once when it had not started', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		steer(session, stop, 'AGT-002');
		expect(session.stateOf('AGT-002')).toBe('ABORTED');
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('is out of the session while it is being started', () => {
		const session = starting(['AGT-001', 'AGT-002']);
		expect(session.stateOf('AGT-001')).toBe('SPAWNING');
		steer(session, stop);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('at work has its turn ended and its work pinned first', () => {
		const session = working(['AGT-001', 'AGT-002']);
		steer(session, stop);
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.keys()).toEqual(['end-turn:AGT-001:1']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.agent('AGT-001').snapshots).toMatchObject([{reason: 'exit:1'}]);
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('takes what it waited for with it, and nothing of the others', () => {
		const session = saying(ask, ['AGT-001', 'AGT-002']);
		session.says('AGT-002', ask);
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		steer(session, stop);
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
		expect(session.state().items).toMatchObject([{id: 'q-2', agent: 'AGT-002'}]);
	});

	it('is waited for no more by those that come after it', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		steer(session, stop);
		session.work();
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('can be taken out of the merge after it was accepted', () => {
		const session = accepted(['AGT-001', 'AGT-002']);
		steer(session, stop);
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
	});

	it('ends the session if it was the last one', () => {
		const session = working(['AGT-001']);
		steer(session, stop);
		session.work();
		expect(session.state().session?.ended).toMatchObject({status: 'ABORTED'});
	});
});

describe('steering is refused, with the reason', () => {
	it('for an agent that there is not', () => {
		expect(refusal(working(['AGT-001']), stop, 'AGT-009')).toBe(
			'There is no agent AGT-009 in this session.',
		);
	});

	it('before the plan is approved', () => {
		expect(refusal(planned(['AGT-001']))).toBe(
			'The plan is not approved yet; p-1 asks what becomes of it.',
		);
	});

	it('once it is being stopped, and once it is out', () => {
		const session = working(['AGT-001', 'AGT-002']);
		steer(session, stop);
		expect(refusal(session)).toBe('AGT-001 is being stopped.');
		session.work();
		expect(refusal(session)).toBe('AGT-001 is out of the session: a person ended it.');
	});

	it('where an item asks what becomes of its work', () => {
		expect(refusal(completed(['AGT-001']))).toBe(
			'AGT-001 has finished; r-1 asks what becomes of its work.',
		);
		const failed = saying(report('failed'));
		failed.ends('AGT-001');
		expect(refusal(failed)).toBe('AGT-001 has failed; f-1 asks what becomes of its work.');
	});

	it('while the session is being stopped', () => {
		const session = working(['AGT-001']);
		session.ask({kind: 'stop'});
		expect(refusal(session)).toBe('The session is being stopped.');
	});
});

const message = (text = 'use the clock', now = false): AgentOrder => ({
	verb: 'message',
	text,
	...(now ? {now: true} : {}),
});

const lastItems = (session: Given): readonly string[] =>
	session.events().findLast(event => event.kind === 'turn.started')?.items ?? [];

describe('a message', () => {
	it('is told at the next turn, once', () => {
		const session = working(['AGT-001']);
		steer(session, message());
		expect(session.keys()).toEqual([]);
		session.ends('AGT-001');
		expect(session.agent('AGT-001')).toMatchObject({
			state: 'CHECKPOINT',
			why: 'is told what you wrote',
		});
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(lastItems(session)).toEqual(['m-1']);
		expect(session.agent('AGT-001').replies).toEqual([]);
		session.ends('AGT-001');
		session.work();
		expect(lastItems(session)).toEqual([]);
	});

	it('does not undo that the agent is done; the review names it, and feedback has it told', () => {
		const session = saying(report('success'));
		steer(session, message());
		session.ends('AGT-001');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(inbox(session.state())).toMatchObject([
			{
				id: 'r-1',
				notes: [
					'It had finished before your message reached it: "use the clock". It gets the message if you send it back.',
				],
			},
		]);
		session.decide('r-1', 'feedback', 'See my message.');
		session.work();
		expect(lastItems(session)).toEqual(['m-1', 'r-1']);
	});

	it('is told in the turn to an agent that takes words there, by itself, and not once that has spoken', () => {
		const session = working(['AGT-001']);
		const started = session.events().findLast(event => event.kind === 'turn.started');
		session.tell({...(started as BodyOf<'turn.started'>), takesWords: true});
		steer(session, message());
		steer(session, message('and this'));
		expect(session.keys()).toEqual(['reply:AGT-001:m-1', 'reply:AGT-001:m-2']);
		session.says('AGT-001', report('success'));
		expect(session.keys()).toEqual([]);
	});

	it('is told with the first prompt where the agent had not begun', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		steer(session, message(), 'AGT-002');
		session.finishes('AGT-001');
		session.work();
		expect(session.events().findLast(event => event.kind === 'turn.started')).toMatchObject({
			agent: 'AGT-002',
			prompt: 'launch',
			items: ['m-1'],
		});
	});

	it('for now cuts the turn short, politely, and goes on with it', () => {
		const session = working(['AGT-001']);
		steer(session, message('stop that', true));
		expect(session.owed().effects).toMatchObject([{do: 'end-turn', turn: 1, politely: true}]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').turn).toMatchObject({phase: 'live', number: 2});
		expect(lastItems(session)).toEqual(['m-1']);
	});

	it('goes at once to an agent that reads its input, and cuts nothing short', () => {
		const live = {protocol: 'text', command: ['agent'], reply: 'stdin'} as const;
		const session = working([subtask('AGT-001', {agent: live})]);
		steer(session, message('stop that', true));
		expect(session.keys()).toEqual(['reply:AGT-001:m-1']);
		session.work();
		expect(session.agent('AGT-001').turn).toMatchObject({phase: 'live', number: 1});
		expect(session.agent('AGT-001').replies).toEqual([]);
	});

	it('goes to an agent once more that ends without a word after it, with all that it may not have read', () => {
		const live = {protocol: 'text', command: ['agent'], reply: 'stdin'} as const;
		const session = working([subtask('AGT-001', {agent: live})]);
		for (const text of ['stop that', 'and this']) {
			steer(session, message(text, true));
			session.work();
		}

		session.ends('AGT-001');
		expect(session.agent('AGT-001').replies.map(({item}) => item)).toEqual(['m-1', 'm-2']);
		session.work();
		session.ends('AGT-001');
		expect(session.agent('AGT-001').replies).toEqual([]);
	});

	it('goes to an agent only once that says something after it', () => {
		const live = {protocol: 'text', command: ['agent'], reply: 'stdin'} as const;
		const session = working([subtask('AGT-001', {agent: live})]);
		steer(session, message('stop that', true));
		session.work();
		session.says('AGT-001', 'STATUS: stopped');
		session.ends('AGT-001');
		expect(session.agent('AGT-001').replies).toEqual([]);
	});

	it('goes with the answer that the agent waits for', () => {
		const session = parked();
		steer(session, message());
		expect(session.keys()).toEqual([]);
		expect(refusal(session, message('now', true))).toMatch(/waits for q-1/);
		session.decide('q-1', '8080');
		session.work();
		expect(lastItems(session)).toEqual(['m-1', 'q-1']);
	});

	it('is refused where the agent has come to its end', () => {
		const session = completed(['AGT-001']);
		expect(refusal(session, message())).toBe(
			'AGT-001 has finished; r-1 asks what becomes of its work.',
		);
		session.decide('r-1', 'merge');
		expect(refusal(session, message())).toBe('You have accepted the work of AGT-001 as it is.');
	});

	it('that was read in a turn is told again to a process that forgets, once that was cut short', () => {
		const session = working(['AGT-001']);
		steer(session, message());
		session.ends('AGT-001');
		session.work();
		steer(session, {verb: 'pause'});
		session.work();
		steer(session, {verb: 'resume'});
		session.work();
		expect(lastItems(session)).toEqual(['m-1', 'm-2']);
	});
});

describe('an agent that a person pauses', () => {
	it('ends its turn, has its work pinned, frees its place and stays so', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		steer(session, {verb: 'pause'});
		expect(session.owed().effects).toMatchObject([{do: 'end-turn', politely: true}]);
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({state: 'CHECKPOINT', why: 'paused by you'});
		expect(session.agent('AGT-001').snapshots).toHaveLength(1);
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
		expect(session.owed().effects).toEqual([]);
	});

	it('goes on where it was, with what the person says', () => {
		const session = working(['AGT-001']);
		steer(session, {verb: 'pause'});
		session.work();
		steer(session, {verb: 'resume', text: 'the target has moved'});
		expect(session.owed().effects).toMatchObject([{do: 'start', turn: 2, prompt: 'resume'}]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(lastItems(session)).toEqual(['m-1']);
	});

	it('uses up none of its time meanwhile', () => {
		const session = working(['AGT-001']);
		steer(session, {verb: 'pause'});
		session.work();
		const {workedMs} = session.agent('AGT-001');
		session.wait(3_600_000 * 5);
		steer(session, {verb: 'resume'});
		session.work();
		expect(session.agent('AGT-001').workedMs).toBe(workedMs);
		expect(session.kinds()).toEqual([]);
	});

	it('is answered meanwhile and told when it goes on', () => {
		const session = parked();
		steer(session, {verb: 'pause'});
		session.decide('q-1', '8080');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		steer(session, {verb: 'resume'});
		session.work();
		expect(lastItems(session)).toEqual(['q-1', 'm-1']);
	});

	it('stays paused when its supervisor goes', () => {
		const session = working(['AGT-001']);
		steer(session, {verb: 'pause'});
		session.ends('AGT-001', {by: 'lost'});
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({state: 'CHECKPOINT', why: 'paused by you'});
	});

	it('and had not begun does not begin', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		steer(session, {verb: 'pause'}, 'AGT-002');
		session.finishes('AGT-001');
		session.work();
		expect(session.stateOf('AGT-002')).toBe('PENDING');
		steer(session, {verb: 'resume'}, 'AGT-002');
		session.work();
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
		expect(lastItems(session)).toEqual([]);
	});

	it('comes to its end all the same if it said so just then', () => {
		const session = working(['AGT-001']);
		steer(session, {verb: 'pause'});
		session.says('AGT-001', report('success'));
		session.work();
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(session.agent('AGT-001').held).toBeUndefined();
	});

	it('can be stopped', () => {
		const session = working(['AGT-001', 'AGT-002']);
		steer(session, {verb: 'pause'});
		session.work();
		steer(session, stop);
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
	});

	it('can’t be paused twice, nor let go on when it is not paused', () => {
		const session = working(['AGT-001']);
		expect(refusal(session, {verb: 'resume'})).toBe('AGT-001 is not paused.');
		steer(session, {verb: 'pause'});
		expect(refusal(session, {verb: 'pause'})).toBe('AGT-001 is paused already.');
	});

	it('stays paused until the last one has left its worktree', () => {
		const session = working(['AGT-001']);
		const heldAfter = (...orders: readonly AgentOrder[]) => {
			for (const order of orders) {
				steer(session, order);
				session.work();
			}

			return session.agent('AGT-001').held !== undefined;
		};
		const enter = (visit: string): AgentOrder => ({verb: 'pause', visit});
		const leave = (visit: string): AgentOrder => ({verb: 'resume', visit});
		expect(heldAfter(enter('one'), enter('two'), leave('one'))).toBe(true);
		expect(heldAfter({verb: 'resume', visit: 'two', text: 'a file is new'})).toBe(false);
		expect(session.agent('AGT-001').delivered).toMatchObject([{text: 'a file is new'}]);
		expect(heldAfter({verb: 'pause'}, enter('three'), leave('three'))).toBe(true);
		expect(heldAfter({verb: 'resume'}, enter('four'), {verb: 'resume'}, leave('four'))).toBe(false);
	});
});

const restart = (
	from: number | null = null,
	profile?: string,
): Extract<AgentOrder, {verb: 'restart'}> => ({
	verb: 'restart',
	from,
	...(profile === undefined
		? {}
		: {as: {profile, agent: {protocol: 'text', command: [profile]} as const}}),
});

describe('an agent that a person has start over', () => {
	it('as another one after it failed is told why the one before did, and what the person says', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'exit', code: 3}, 'cannot open the db.');
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		steer(session, {...restart(null, 'codex'), text: 'the db is up now'});
		session.work();
		const {delivered, subtask, state} = session.agent('AGT-001');
		expect([state, subtask.profile]).toEqual(['RUNNING', 'codex']);
		expect(delivered).toMatchObject([
			{
				heading: 'STARTED ANEW',
				text: expect.stringMatching(
					/another agent began this.*had failed: .*cannot open the db\. Your worktree.*The person says: the db is up now/s,
				),
			},
		]);
	});

	it('is ended with its process, set back, and started in a new conversation', () => {
		const session = working(['AGT-001']);
		session.tell({
			kind: 'conversation.opened',
			agent: 'AGT-001',
			turn: 1,
			conversation: 'the old one',
		});
		session.ends('AGT-001');
		session.work();
		steer(session, restart(1));
		const [ending] = session.owed().effects;
		expect(ending).toMatchObject({do: 'end-turn', turn: 2});
		expect(ending).not.toHaveProperty('politely');
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 2, end: {by: 'stopped'}});
		expect(session.keys()).toEqual(['snapshot:AGT-001:exit:2']);
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({state: 'RUNNING', turn: {number: 3}});
		expect(session.agent('AGT-001').conversation).toBeUndefined();
		expect(session.agent('AGT-001').restore).toBeUndefined();
		expect(session.events().some(({kind}) => kind === 'snapshot.restored')).toBe(true);
		expect(lastItems(session)).toEqual(['m-1']);
	});

	it('goes on as another profile, alone, and is told truly what happened', () => {
		const session = working(['AGT-001', 'AGT-002']);
		session.ends('AGT-001');
		session.work();
		steer(session, restart(1, 'codex'));
		const codex = {profile: 'codex', agent: {command: ['codex']}};
		expect(session.agent('AGT-001').subtask).toMatchObject(codex);
		expect(session.agent('AGT-002').subtask).not.toHaveProperty('profile', 'codex');
		expect(session.agent('AGT-001').replies).toMatchObject([
			{
				heading: 'STARTED ANEW',
				text: expect.stringMatching(
					/^another agent began this, .* was set back to snapshot 1 of 1\. .*withdrawn/,
				),
			},
		]);
	});

	it('keeps its mode in the same program only', () => {
		const modeAs = (profile: string) => {
			const own = subtask('AGT-001', {profile: 'mine', mode: 'bold'});
			const session = working([own]);
			steer(session, restart(null, profile));
			return session.agent('AGT-001').subtask.mode;
		};
		expect([modeAs('mine'), modeAs('claude')]).toEqual(['bold', undefined]);
	});

	it('takes back what it had asked, and keeps what it was answered', () => {
		const session = saying(ask);
		session.says('AGT-001', ask.replace('port', 'host'));
		session.ends('AGT-001');
		session.decide('q-1', '8080');
		steer(session, restart());
		expect(session.kinds()).toEqual([]);
		session.work();
		expect(lastItems(session)).toEqual(['q-1', 'm-1']);
	});

	it('is tried again with another profile after it failed', () => {
		const session = working(['AGT-001']);
		session.ends('AGT-001', {by: 'exit', code: 1});
		steer(session, restart(1, 'codex'));
		expect(session.kinds()).toEqual([]);
		expect(session.stateOf('AGT-001')).toBe('SPAWNING');
		expect(session.keys()).toEqual(['restore:AGT-001:1']);
		session.work();
		expect(session.agent('AGT-001')).toMatchObject({
			state: 'RUNNING',
			subtask: {profile: 'codex'},
		});
		expect(lastItems(session)).toEqual(['m-1']);
	});

	it('has nothing to do with how its last turn ends', () => {
		const session = working(['AGT-001']);
		steer(session, restart());
		session.ends('AGT-001', {by: 'exit', code: 1});
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('fails like any other once it has begun anew, and is told what happened when it is tried again', () => {
		const trouble = {kind: 'model', said: 'no such model'} as const;
		const gone = {by: 'error', cause: 'its model was not found', trouble} as const;
		const session = working(['AGT-001']);
		session.ends('AGT-001', gone);
		steer(session, restart());
		session.work();
		session.ends('AGT-001', gone);
		expect([session.stateOf('AGT-001'), session.kinds()]).toEqual(['FAILED', ['failure']]);
		session.decide('f-2', 'retry');
		session.work();
		expect(lastItems(session)).toEqual(['m-1', 'f-2']);
		steer(session, restart());
		expect(session.keys()).toEqual(['end-turn:AGT-001:3']);
		session.ends('AGT-001', gone);
		session.work();
		expect([session.stateOf('AGT-001'), lastItems(session)]).toEqual([
			'RUNNING',
			['m-1', 'f-2', 'm-2'],
		]);
		session.ends('AGT-001', gone);
		expect([session.stateOf('AGT-001'), session.kinds()]).toEqual(['FAILED', ['failure']]);
	});

	it('waits for its model no more', () => {
		const session = working(['AGT-001']);
		const trouble = {kind: 'overloaded', said: 'overloaded'} as const;
		session.ends('AGT-001', {by: 'error', cause: 'overloaded', trouble});
		expect(session.agent('AGT-001').why).toMatch(/^waits for its model/);
		steer(session, restart(null, 'codex'));
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('can be another program before it began', () => {
		const session = working(['AGT-001', 'AGT-002'], {settings: {parallel: 1}});
		expect(refusal(session, restart(), 'AGT-002')).toBe('AGT-002 has not started yet.');
		steer(session, restart(null, 'codex'), 'AGT-002');
		expect(session.agent('AGT-002')).toMatchObject({
			state: 'PENDING',
			subtask: {profile: 'codex'},
			replies: [],
		});
	});

	it('is refused where it has finished, and a snapshot that there is not', () => {
		expect(refusal(completed(['AGT-001']), restart())).toMatch(/has finished; r-1/);
		expect(refusal(working(['AGT-001']), restart(7))).toBe('AGT-001 has no snapshot 7.');
	});
});
