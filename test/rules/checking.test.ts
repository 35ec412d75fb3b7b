import {describe, expect, it} from 'vitest';
import {itemText} from '../../src/client/texts/item-text.ts';
import {checkEffects, dueCheck} from '../../src/rules/effects/merging.ts';
import {inbox} from '../../src/rules/inbox.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {noUpdates} from '../../src/state/agent/updates.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {checkpoint, type Given, working} from '../helpers/given.ts';
import {snapshotChecked} from '../helpers/quiet-outcome.ts';

const tested = checkpoint('Status: IN_PROGRESS\nTests Run:\n- Executed: Yes\n- Result: PASS');

const verify = {plan: {verify: ['npm test']}} as const;

/** An agent whose checkpoint a person has before them. */
const atCheckpoint = (options: Parameters<typeof working>[1] = verify): Given => {
	const session = working(['AGT-001'], options);
	session.says('AGT-001', tested);
	session.work();
	return session;
};

const check = {kind: 'steer', agent: 'AGT-001', order: {verb: 'check'}} as const;

const ends = (session: Given, ok: boolean): void => {
	const [effect] = session.owed().effects.filter(({do: what}) => what === 'check-snapshot');
	if (effect?.do !== 'check-snapshot') {
		throw new Error('No check is owed.');
	}

	session.tell(snapshotChecked(session.state(), effect, ok));
};

const claims = (session: Given) => {
	const [item] = inbox(session.state());
	return item?.kind === 'checkpoint' ? item.claims : undefined;
};

describe('the checks of one agent’s work', () => {
	it('are run when a person asks for it, and told beside what the agent says', () => {
		const session = atCheckpoint();
		expect(session.keys()).toEqual([]);
		expect(session.ask(check)).toBeUndefined();
		expect(session.keys()).toEqual([`check-snapshot:AGT-001:1:${session.state().seq}`]);
		expect(session.ask(check)).toBe('Its checks are being run already.');
		ends(session, false);
		expect(claims(session)).toEqual([{claim: 'Tests: PASS', holds: false, found: 'failed'}]);
		expect(inbox(session.state())).toMatchObject([
			{
				tests_run: {ok: false, commands: [{command: 'npm test', code: 1}]},
				notes: ['Wrong in its report: Tests: PASS (they failed).'],
			},
		]);
		const [item] = inbox(session.state());
		expect(item === undefined ? '' : itemText(item, '/store')).toContain(
			[
				'    Tests, it says: run, PASS',
				'    The plan’s checks of this work: FAILED: `npm test` exited with code 1',
			].join('\n'),
		);
		expect(session.keys()).toEqual([]);
	});

	it('are run once by themselves where the config says so, while their agent is looked at', () => {
		const session = atCheckpoint({...verify, settings: {testsAt: 'checkpoint'}});
		expect(claims(session)).toEqual([{claim: 'Tests: PASS', holds: true, found: 'passed'}]);
		expect(session.events().filter(({kind}) => kind === 'snapshot.checked')).toHaveLength(1);
		session.decide('cp-1', 'continue');
		expect(session.keys()).toEqual([]);
	});

	it('say nothing of work that has changed since', () => {
		const session = atCheckpoint();
		session.ask(check);
		ends(session, true);
		session.decide('cp-1', 'continue');
		session.work();
		session.says('AGT-001', tested);
		session.work();
		expect(claims(session)).toEqual([]);
	});

	it('that can’t be run are told with the reason, and can be asked for again', () => {
		const session = atCheckpoint();
		session.ask(check);
		session.fails('check-snapshot', 'No space.');
		expect(inbox(session.state())).toMatchObject([
			{tests_run: {ok: null, why: 'it could not be run: No space.'}, claims: []},
		]);
		expect(session.ask(check)).toBeUndefined();
	});

	it('are refused where the plan has none', () => {
		expect(atCheckpoint({plan: {verify: []}}).ask(check)).toBe(
			'The plan has no verify command, so there is nothing to run.',
		);
	});
});

describe('a check that is asked for', () => {
	const asked = (): Given => {
		const session = atCheckpoint();
		session.ask(check);
		return session;
	};

	it('is run but for a session that stops, and where there is one', () => {
		const state = asked().state();
		expect(checkEffects(state)).toMatchObject([
			{do: 'check-snapshot', agent: 'AGT-001', number: 1},
		]);
		const session = state.session && {...state.session, stopping: 'ABORTED' as const};
		expect(checkEffects({...state, session})).toEqual([]);
		expect(checkEffects(emptyState)).toEqual([]);
	});

	it('is due for an agent that is not given up, of a plan that has any', () => {
		const session = asked();
		const state = session.state();
		const agent = session.agent('AGT-001');
		expect(dueCheck(state, agent)).toEqual(agent.toCheck);
		expect(dueCheck(state, {...agent, state: 'ABORTED'})).toBeUndefined();
		const plan = state.session && {...state.session.plan, verify: []};
		const bare = state.session && plan && {...state.session, plan};
		expect(dueCheck({...state, session: bare}, agent)).toBeUndefined();
		expect(dueCheck(emptyState, agent)).toBeUndefined();
	});
});

describe('a check that nobody asked for', () => {
	const first = {number: 1, since: 0};

	/** What is due of an agent's work while these items of it wait. */
	const dueWith = (
		kinds: readonly string[],
		options: {
			testsAt?: 'checkpoint' | 'claim';
			bestOf?: string;
			changes?: Partial<Agent>;
		},
	) => {
		const {testsAt, bestOf, changes} = options;
		const session = atCheckpoint({...verify, ...(testsAt && {settings: {testsAt}})});
		const items = kinds.map(kind => ({...session.item('checkpoint'), kind}));
		const state = {...session.state(), items} as State;
		const agent: Agent = {...session.agent('AGT-001'), checks: [], ...changes};
		return dueCheck(state, {...agent, subtask: {...agent.subtask, ...(bestOf && {bestOf})}});
	};

	const testsAt = 'checkpoint';
	const claimed = {testsAt: 'claim'} as const;
	const bestOf = 'AGT-001';
	it.each([
		['the config says so', {testsAt}, ['checkpoint'], first],
		['the config says so', {testsAt}, ['review'], first],
		['the config says so', {testsAt}, ['question', 'review'], first],
		['the config says so', {testsAt}, ['failure'], undefined],
		['a session that says nothing of it', {}, ['review'], undefined],
		['it has rivals', {bestOf}, ['review'], first],
		['it has rivals', {bestOf}, ['question', 'failure'], first],
		['it has rivals', {bestOf}, ['checkpoint'], undefined],
		['its agent says how its tests went', claimed, ['checkpoint'], first],
		['its agent says how its tests went', claimed, ['review'], first],
		['its agent says how its tests went', claimed, ['failure'], undefined],
		[
			'nobody says how they went',
			{...claimed, changes: {updates: noUpdates}},
			['review'],
			undefined,
		],
	] as const)('is due where %s (%o) and %o waits: %o', (_, options, kinds, due) => {
		expect(dueWith(kinds, options)).toEqual(due);
	});

	it('waits until all work is pinned, and is of no work', () => {
		expect(dueWith(['review'], {testsAt, changes: {wanted: ['said:9']}})).toBeUndefined();
		expect(dueWith(['review'], {testsAt, changes: {snapshots: []}})).toBeUndefined();
		expect(dueWith(['review'], {bestOf, changes: {snapshots: []}})).toBeUndefined();
		const [snapshot] = atCheckpoint().agent('AGT-001').snapshots;
		const snapshots = snapshot ? [{...snapshot, files: 0}] : [];
		expect(snapshots).toHaveLength(1);
		expect(dueWith(['review'], {bestOf, changes: {snapshots}})).toBeUndefined();
	});
});
