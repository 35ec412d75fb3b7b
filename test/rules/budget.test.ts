import {expect, it} from 'vitest';
import {type Load, type LoadKind, loadKinds} from '../../src/events/load.ts';
import type {Subtask} from '../../src/events/plan.ts';
import {defined} from '../../src/lib/values.ts';
import {conditionsOf} from '../../src/rules/conditions.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {checkpoint, type Given, report, working} from '../helpers/given.ts';
import {settingsOf, subtask} from '../helpers/plan.ts';
import {snapshotTaken} from '../helpers/quiet-outcome.ts';

const spending = (more: Partial<Subtask> = {}): Given =>
	working([subtask('AGT-001', {tokens: 1000, ...more})]);

/** An agent that can be told something in a turn of its own. */
const acp = {agent: {protocol: 'acp', command: ['agent']}} as const;

const banner = checkpoint('Status: IN_PROGRESS\nProgress: 60%');

const uses = (session: Given, tokens: number): void =>
	session.tell({kind: 'tokens.counted', agent: 'AGT-001', turn: 1, tokens});

it('of tokens is asked about while the agent goes on, once most of it is used up', () => {
	const session = spending();
	uses(session, 799);
	expect(session.kinds()).toEqual([]);
	uses(session, 800);
	uses(session, 900);
	expect(session.state().items).toMatchObject([{kind: 'limit', of: 'tokens-near'}]);
	expect(session.keys()).toEqual([]);
});

it('of tokens pauses the agent when it is used up, and a person can extend it', () => {
	const session = spending();
	uses(session, 2500);
	session.work();
	expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	expect(session.state().items).toMatchObject([{kind: 'limit', of: 'tokens'}]);
	session.decide('l-1', 'extend');
	session.work();
	expect(session.stateOf('AGT-001')).toBe('RUNNING');
	expect(session.agent('AGT-001').tokenBudget).toBe(4000);
});

it('of tokens lets an agent that can be told say where it stands, and pauses it then', () => {
	const session = spending(acp);
	uses(session, 1000);
	expect(session.kinds()).toEqual([]);
	session.work();
	expect(session.stateOf('AGT-001')).toBe('RUNNING');
	expect(session.agent('AGT-001').delivered).toMatchObject([{heading: 'TOKEN LIMIT'}]);
	uses(session, 1100);
	expect(session.kinds()).toEqual([]);
	session.says('AGT-001', banner);
	session.ends('AGT-001');
	session.work();
	expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	expect(session.state().items).toMatchObject([
		{kind: 'limit', of: 'tokens', said: {progress: 60}},
	]);
	session.decide('l-1', 'extend');
	expect(session.agent('AGT-001').replies).toMatchObject([{about: 'tokens'}]);
	session.work();
	expect(session.agent('AGT-001').tokenBudget).toBe(3000);
	expect(session.agent('AGT-001').closing).toBeUndefined();
});

it('of tokens and the time limit are told one after the other', () => {
	const session = spending(acp);
	session.pass('limit:');
	uses(session, 1000);
	session.pass('closing:');
	expect(session.state().items).toMatchObject([{kind: 'limit', of: 'work'}]);
	session.work();
	session.decide('l-1', 'extend');
	session.work();
	uses(session, 1001);
	session.pass('closing:');
	session.work();
	expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	expect(session.state().items).toMatchObject([{kind: 'limit', of: 'tokens'}]);
});

it('of tokens does not matter to an agent that is done', () => {
	const session = spending();
	session.says('AGT-001', report('success'));
	uses(session, 2500);
	session.ends('AGT-001');
	expect(session.kinds()).toEqual(['review']);
});

it('of tokens is nobody’s where the plan names none', () => {
	const session = working(['AGT-001']);
	uses(session, 1_000_000);
	expect(session.kinds()).toEqual([]);
});

it('of money is asked about at four fifths, and extended by as much', () => {
	const session = working([subtask('AGT-001', {budget: '$5'})]);
	const pays = (money: number): void =>
		session.tell({kind: 'tokens.counted', agent: 'AGT-001', turn: 1, tokens: 10, money});
	pays(4);
	expect(inbox(session.state())).toMatchObject([{of: 'money-near', used: 4, allowed: 5}]);
	pays(5.2);
	session.work();
	expect(inbox(session.state())).toMatchObject([{of: 'money', used: 5.2, allowed: 5}]);
	expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	session.decide('l-2', 'extend');
	expect(session.agent('AGT-001')).toMatchObject({moneyBudget: 15, replies: [{about: 'money'}]});
});

it('of all agents is asked about once while they go on, stops each that spends more, and is extended for all', () => {
	const session = working(['AGT-001', 'AGT-002'], {plan: {budget: '$5'}});
	const pays = (agent: string, money: number): void =>
		session.tell({
			...{kind: 'tokens.counted', agent, turn: 1, tokens: 0},
			...{money: 2, all: {tokens: 0, money}},
		});
	pays('AGT-001', 4.1);
	pays('AGT-002', 4.2);
	expect(inbox(session.state())).toMatchObject([
		{of: 'money-near', shared: true, agent: 'AGT-001', used: 4.2, allowed: 5},
	]);
	pays('AGT-001', 5);
	pays('AGT-002', 5.1);
	session.work();
	expect(inbox(session.state())).toMatchObject([
		{
			of: 'money',
			agent: 'AGT-001',
			title: 'All agents together have used up the money of the plan',
		},
		{of: 'money', agent: 'AGT-002'},
	]);
	session.decide(session.item('limit').id, 'extend');
	session.work();
	expect(session.kinds()).toEqual([]);
	expect(['AGT-001', 'AGT-002'].map(session.stateOf)).toEqual(['RUNNING', 'RUNNING']);
	expect(session.state().shared?.allowed).toBe(15);
});

it('of money can’t be watched where none is reported, and that is said', () => {
	const session = working([subtask('AGT-001', {budget: '$5'})]);
	uses(session, 10);
	const [agent] = session.state().agents;
	const look = {now: session.state().at};
	expect(agent && conditionsOf(session.state(), agent, look)).toMatchObject([
		{kind: 'unwatched', text: 'it reports no money, so its budget in dollars can’t be watched'},
	]);
});

const changes = (session: Given, files: number): void => {
	const taken = snapshotTaken(session.state(), 'AGT-001', `look:${files}`);
	session.tell({...taken, files});
};

it('of files is asked about once, and no turn begins before a person decides', () => {
	const session = working(['AGT-001'], {settings: {files: 20}});
	changes(session, 20);
	expect(session.kinds()).toEqual([]);
	changes(session, 25);
	changes(session, 26);
	expect(inbox(session.state())).toMatchObject([
		{id: 'l-1', kind: 'limit', of: 'files', used: 26, allowed: 20, agent: 'AGT-001'},
	]);
	expect(session.stateOf('AGT-001')).toBe('RUNNING');
	session.ends('AGT-001');
	session.work();
	expect([session.stateOf('AGT-001'), session.kinds()]).toEqual(['CHECKPOINT', ['limit']]);
	session.tell({...snapshotTaken(session.state(), 'AGT-001', 'again'), files: 26});
	session.decide('l-1', 'extend');
	session.work();
	expect(session.stateOf('AGT-001')).toBe('RUNNING');
	expect(session.agent('AGT-001').delivered).toMatchObject([
		{heading: 'MESSAGE', text: 'You may change up to 46 files. Go on.'},
	]);
	changes(session, 46);
	expect(session.kinds()).toEqual([]);
	changes(session, 47);
	expect(session.kinds()).toEqual(['limit']);
});

it('of files holds up nobody who is done; the review says it', () => {
	const session = working(['AGT-001'], {settings: {files: 20}});
	changes(session, 25);
	expect(session.kinds()).toEqual(['limit']);
	session.says('AGT-001', report('success'));
	session.ends('AGT-001');
	session.tell({...snapshotTaken(session.state(), 'AGT-001', 'last'), files: 25});
	expect(inbox(session.state())).toMatchObject([
		{kind: 'review', notes: ['It has changed 25 files, more than 20.']},
	]);
});

const limited = (of: LoadKind, limits?: Load) => {
	const session = working([subtask('AGT-001', defined({limits}))], {
		settings: settingsOf({
			load: {memory: 1000, processes: 1000, cpu: 1000, disk: 1000, output: 1000},
		}),
	});
	const uses = (share: number): void =>
		session.tell({
			...{kind: 'load.counted', agent: 'AGT-001', turn: 1, memory: 1, processes: 1},
			[of]: share * 1000,
		});
	return {session, uses};
};

it('of what processes use is as its part of the plan says', () => {
	const {session, uses} = limited('disk', {disk: 10_000});
	uses(2);
	expect(session.kinds()).toEqual([]);
	uses(8);
	expect(inbox(session.state())).toMatchObject([{of: 'disk-near', used: 8000, allowed: 10_000}]);
});

it.each(loadKinds)(
	'of %s is asked about when most of it is used, and ends the turn when there is more, until a person extends it',
	of => {
		const {session, uses} = limited(of);
		uses(0.7);
		expect(session.kinds()).toEqual([]);
		uses(0.8);
		expect(session.state().items).toMatchObject([{kind: 'limit', of: `${of}-near`}]);
		expect(session.keys()).toEqual([]);
		uses(1.1);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		const [item] = inbox(session.state());
		expect(item).toMatchObject({kind: 'limit', of, used: 1100, allowed: 1000});
		session.decide(item?.id ?? '', 'extend');
		expect(session.agent('AGT-001').replies).toMatchObject([{heading: 'TIME EXTENDED', about: of}]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.agent('AGT-001').loadBudget).toEqual({[of]: 3000});
	},
);
