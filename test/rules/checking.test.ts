import {describe, expect, it} from 'vitest';
import {itemText} from '../../src/client/texts/item-text.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {checkpoint, type Given, working} from '../helpers/given.ts';
import {snapshotChecked} from '../helpers/quiet-outcome.ts';

const tested = checkpoint('Status: IN_PROGRESS\nTests Run:\n- Executed: Yes\n- Result: PASS');

const verify = {plan: {verify: ['npm test']}};

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
				notes: ['It says what does not hold of its work: Tests: PASS (they failed).'],
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
