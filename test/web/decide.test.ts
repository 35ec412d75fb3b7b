import {describe, expect, test} from 'vitest';
import type {Ask} from '../../src/client/supervisor/request-within.ts';
import {Failure} from '../../src/lib/failure.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {decideForm} from '../../src/web/decide.ts';
import {decidable} from '../../src/web/page/question-forms.ts';
import type {PageView} from '../../src/web/page/view.ts';
import {accepted, asks, completed, type Given} from '../helpers/given.ts';
import {build, verify} from '../helpers/merging.ts';
import {asking, viewOf} from './a-view.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Sends a form about the session as it is; returns what is told, and what was asked of the supervisor. */
const sent = async (session: Given, fields: Fields, more: Partial<PageView> = {}, answer?: Ask) => {
	const asked: unknown[] = [];
	const form = new URLSearchParams({session: session.state().session?.session ?? ''});
	for (const [name, values] of Object.entries(fields)) {
		for (const value of [values].flat()) {
			form.append(name, value);
		}
	}

	const outcomes = await decideForm(
		() => viewOf(session, more),
		form,
		answer ?? (async request => asked.push(request)),
	);
	return {outcomes, asked};
};

describe('an answer', () => {
	test.each([
		['an option', '{question: Q, options: ["a, b", c]}', {'option:q-1': '0'}, 'a, b'],
		[
			'several',
			'{question: Q, multi: true, options: [a, b, c]}',
			{'option:q-1': ['0', '2']},
			'a, c',
		],
		['a text', 'Q?', {'own:q-1': ' one\r\ntwo '}, 'one\ntwo'],
		['one of one’s own', '{question: Q, type: text, options: [a]}', {'own:q-1': 'z'}, 'z'],
		['not now', 'Q?', {later: 'yes'}, 'snooze'],
	])('is %s', async (_, question, fields, choice) => {
		const {asked, outcomes} = await sent(asking(question), {item: 'q-1', ...fields});
		expect(asked).toEqual([{do: 'decide', item: 'q-1', choice, by: 'web'}]);
		expect(outcomes).toMatchObject([{item: 'q-1', ok: true}]);
	});

	test('goes to the others who ask the same, where it names them', async () => {
		const session = asking('Which port?', ['AGT-001', 'AGT-002', 'AGT-003']);
		session.says('AGT-002', asks('Which port?'));
		// The page that was sent named only the first of them.
		session.says('AGT-003', asks('Which port?'));
		const fields = {item: 'q-1', 'own:q-1': '80', 'same:q-1': 'q-2'};
		const {asked, outcomes} = await sent(session, fields);
		const answers = [
			{item: 'q-1', choice: '80'},
			{item: 'q-2', choice: '80'},
		];
		expect(asked).toEqual([{do: 'answer', answers, by: 'web'}]);
		expect(outcomes.map(({item, ok}) => [item, ok])).toEqual([
			['q-1', true],
			['q-2', true],
		]);
	});

	test('can have a note', async () => {
		const fields = {item: 'q-1', 'option:q-1': '0', 'note:q-1': 'for now'};
		const {asked} = await sent(asking('{question: Q, options: [a]}'), fields);
		expect(asked).toMatchObject([{choice: 'a', note: 'for now'}]);
	});

	test('leaves out what is not filled in, and that goes on waiting', async () => {
		const {asked} = await sent(asking('One?, Two?'), {
			item: ['q-1', 'q-2'],
			'own:q-1': ' ',
			'own:q-2': 'x',
		});
		expect(asked).toMatchObject([{item: 'q-2', choice: 'x'}]);
	});

	test('that is of no use is told with the reason, and the others are taken', async () => {
		const ask: Ask = async asked => {
			if (asked.do === 'decide' && asked.item === 'q-1') {
				throw new Failure('refused', '"x" is not a number.', {hint: 'q-1 still waits'});
			}
		};
		const fields = {item: ['q-1', 'q-2'], 'own:q-1': 'x', 'own:q-2': 'y'};
		const {outcomes} = await sent(asking('One?, Two?'), fields, {}, ask);
		expect(outcomes).toEqual([
			{item: 'q-1', ok: false, text: '"x" is not a number.'},
			{item: 'q-2', ok: true, text: 'q-2: y'},
		]);
	});

	test('that finds no supervisor is told with what to do about that', async () => {
		const ask = () => Promise.reject(new Failure('missing', 'It did not start.', {hint: 'see x'}));
		const {outcomes} = await sent(asking('Q?'), {item: 'q-1', 'own:q-1': 'y'}, {}, ask);
		expect(outcomes).toEqual([{item: 'q-1', ok: false, text: 'It did not start. (see x)'}]);
	});
});

describe('whoever comes too late', () => {
	test('is told who was faster', async () => {
		const session = asking('Q?');
		session.tell({kind: 'user.decided', item: 'q-1', choice: '8080', by: 'web'});
		expect(await sent(session, {item: 'q-1', 'own:q-1': 'x'})).toEqual({
			asked: [],
			outcomes: [
				{item: 'q-1', ok: false, text: 'q-1 no longer waits. Answered "8080" from the browser.'},
			],
		});
	});

	test('by a moment is told so as well, although the page still showed the question', async () => {
		const session = asking('Q?');
		const ask: Ask = async () => {
			session.tell({kind: 'user.decided', item: 'q-1', choice: 'first', by: 'user'});
			throw new Failure('refused', 'No item q-1 waits for you.');
		};
		const {outcomes} = await sent(session, {item: 'q-1', 'own:q-1': 'x'}, {}, ask);
		expect(outcomes[0]?.text).toMatch(/^q-1 no longer waits\. Answered "first" from /);
	});

	test('is told that the session is another one, in which the same name waits again', async () => {
		const other = new URLSearchParams({session: 'DEL-other', item: 'q-1', 'own:q-1': 'x'});
		const outcomes = await decideForm(
			() => viewOf(asking('Q?')),
			other,
			() => Promise.reject(new Error('nobody may be asked')),
		);
		expect(outcomes).toMatchObject([
			{ok: false, text: expect.stringMatching(/^Its session is over/)},
		]);
	});
});

describe('what is no question', () => {
	const session = completed(['AGT-001']);
	const [shown] = inbox(session.state());
	const seen = shown === undefined ? '' : decidable(session.state(), shown).seen;
	const fields = {item: 'r-1', 'option:r-1': '0', 'seen:r-1': seen};

	test('is decided in a browser only where the config says so', async () => {
		const refused = await sent(session, fields);
		expect(refused.asked).toEqual([]);
		expect(refused.outcomes).toMatchObject([
			{ok: false, text: expect.stringMatching(/^Only questions are answered here/)},
		]);
		const taken = await sent(session, fields, {mayDecide: true});
		expect(taken.asked).toEqual([{do: 'decide', item: 'r-1', choice: 'merge', by: 'web'}]);
	});

	test('is not decided by whoever saw something else', async () => {
		const {asked, outcomes} = await sent(
			session,
			{...fields, 'seen:r-1': 'other'},
			{mayDecide: true},
		);
		expect(asked).toEqual([]);
		expect(outcomes).toMatchObject([
			{ok: false, text: 'r-1 has changed in the meantime; look at it again.'},
		]);
	});

	test('is decided once by a form that names it twice', async () => {
		const {asked} = await sent(session, {...fields, item: ['r-1', 'r-1']}, {mayDecide: true});
		expect(asked).toHaveLength(1);
	});

	test('is approved with the doubts that the page showed', async () => {
		const given = accepted(['AGT-001']);
		build(given);
		verify(given, true);
		const doubts = ['It is not signed.'];
		given.tell({kind: 'user.decided', item: 'a-1', choice: 'approve', by: 'web', doubts});
		const state = given.state();
		const told = inbox(state).find(({id}) => id === 'a-1');
		const form = {
			...{item: 'a-1', 'option:a-1': '0'},
			'seen:a-1': told === undefined ? '' : decidable(state, told).seen,
		};
		const {asked} = await sent(given, form, {mayDecide: true});
		expect(asked).toEqual([
			{do: 'decide', item: 'a-1', choice: 'approve', by: 'web', despite: doubts},
		]);
	});

	test('is told to be open still where the supervisor held it up', async () => {
		const doubts = ['Conflict markers remain in src/limit.js.'];
		const answer = async () => ({event: {kind: 'user.decided', doubts}});
		const {outcomes} = await sent(session, fields, {mayDecide: true}, answer);
		expect(outcomes).toEqual([
			{
				item: 'r-1',
				ok: false,
				text: expect.stringMatching(/^Conflict markers .* choose "Include in the result" again/),
			},
		]);
	});
});
