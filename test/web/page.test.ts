import {describe, expect, test} from 'vitest';
import {clockAt} from '../../src/events/deadline.ts';
import {emptyState} from '../../src/state/state.ts';
import {pageOf, shownOn} from '../../src/web/page/page.ts';
import {asks, completed, planned, asking as said, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {asking, viewOf} from './a-view.ts';

const bodyOf = (...view: Parameters<typeof viewOf>): string => shownOn(viewOf(...view)).body;

/** An agent that waits for its answer. */
const listening = subtask('AGT-001', {
	agent: {protocol: 'text', command: ['agent'], reply: 'stdin'},
});

const count = (text: string, part: string): number => text.split(part).length - 1;

describe('a form', () => {
	test.each([
		['{question: Q, type: choice, options: [a, b]}', /type="radio" name="option:q-1" value="1"/],
		[
			'{question: Q, type: choice, multi: true, options: [a, b]}',
			/type="checkbox" name="option:q-1"/,
		],
		['{question: Q, type: yes-no}', /value="0"><span>yes<\/span>/],
		['{question: Q, type: text}', /<textarea [^>]*name="own:q-1"/],
		['{question: Q, type: number}', /name="own:q-1"[^>]*inputmode="decimal"/],
		[
			'{question: Q, type: path}',
			/a path in its worktree[\s\S]*name="own:q-1"[^>]*spellcheck="false"/,
		],
		['{question: Q, type: regex}', /a regular expression/],
		['{question: Q, type: text, pattern: "^[a-z]+$"}', /a text that matches \^\[a-z\]\+\$/],
		['{question: Q, type: text, options: [a]}', /type="radio"[\s\S]*Or your own answer/],
		['{question: Q, type: text, required: false}', /only if you have one/],
	])('for %s has what that wants', (question, control) => {
		expect(bodyOf(asking(question))).toMatch(control);
	});

	test('holds all that an agent asked together, and nothing of another agent', () => {
		const session = asking('One?, Two?', ['AGT-001', 'AGT-002']);
		session.says('AGT-002', asks('Three?'));
		const [, first = '', second = ''] = bodyOf(session).split('<form');
		expect(count(first, '<fieldset')).toBe(2);
		expect(count(second, '<fieldset')).toBe(1);
		expect(second).toContain('AGT-002 asks');
	});

	test('offers to answer others who ask the same', () => {
		const session = asking('Which port?', ['AGT-001', 'AGT-002']);
		session.says('AGT-002', asks('Which port?'));
		expect(bodyOf(session)).toContain('Answer AGT-002 (q-2) as well, who asks the same');
	});

	test('is sent by Enter, whatever other buttons it has', () => {
		const buttons = bodyOf(asking('Q?', [listening])).match(/<button[^>]*>[^<]*/g);
		expect(buttons?.map(button => button.replace(/.*>/, ''))).toEqual(['Answer', 'Not now']);
	});

	test('says until when its agent waits, and that no time decides', () => {
		const session = asking('Which port?', [listening]);
		expect(bodyOf(session)).toContain(`<time datetime="${session.item('question').deadline}">`);
		session.ends('AGT-001');
		expect(bodyOf(session)).toContain('Meanwhile, it is paused, and goes on with your answer');
	});

	test('says by the clock until when its agent waits, after a night that the machine slept through', () => {
		const session = asking('Which port?', [listening]);
		const nightMs = 8 * 3_600_000;
		session.sleep(nightMs);
		session.tell({kind: 'snapshot.restored', agent: 'AGT-001', number: 1});
		const until = clockAt(session.item('question').deadline, {aheadMs: nightMs});
		expect(bodyOf(session)).toContain(
			`<time datetime="${until}">until ${until.slice(11, 16)} UTC</time>`,
		);
	});
});

test('nothing that an agent wrote becomes markup, wherever it stands', () => {
	const hostile = `<img src=x onerror=alert(1)>"'`;
	const session = working([subtask('AGT-001', {subtask: hostile})]);
	const words = JSON.stringify(hostile);
	session.says(
		'AGT-001',
		said(
			`blocked_at: ${words}\nquestions: [{question: ${words}, context: ${words}, options: [${words}]}, {question: Q, pattern: ${words}}]`,
		),
	);
	session.decide('q-1', hostile);
	session.says('AGT-001', `PROGRESS: ${hostile} - 1/2`);
	session.finishes('AGT-001');
	const body = bodyOf(session);
	expect(count(body, '&lt;img src=x')).toBeGreaterThanOrEqual(5);
	expect(body).not.toContain('<img');
	expect(body).not.toContain('x onerror=alert(1)>');
});

describe('what is no question', () => {
	const session = completed(['AGT-001']);

	test('is shown with the command that decides it, and with nothing to press', () => {
		const body = bodyOf(session);
		expect(body).toContain('<code>delegate-tui answer r-1 merge</code>');
		expect(body).not.toContain('<form');
	});

	test('can be decided where the config allows it, but for what needs files', () => {
		const body = bodyOf(session, {mayDecide: true});
		expect(body).toContain('name="option:r-1" value="0"');
		expect(body).toContain('name="seen:r-1"');
		expect(
			bodyOf(planned(['AGT-001']), {mayDecide: true}).match(/name="option:p-1"/g),
		).toHaveLength(2);
	});
});

describe('the page says', () => {
	test('how much waits, in its title and at its top', () => {
		const {title, body} = shownOn(viewOf(asking('One?, Two?')));
		expect(title).toBe('(2) orders · delegate-tui');
		expect(body).toContain('2 waiting');
	});

	test('that there is no session yet, and that one has ended', () => {
		const none = {state: emptyState, records: [], isSupervised: false};
		expect(bodyOf(asking('Q?'), {session: none})).toContain('No session in this repository yet.');
		const session = asking('Q?');
		session.tell({kind: 'session.ended', status: 'ABORTED', why: 'a person stopped it'});
		expect(bodyOf(session)).toContain('The session has ended: a person stopped it');
	});

	test('that nobody supervises the session, and why it can’t be read', () => {
		const session = {...viewOf(asking('Q?')).session, isSupervised: false, trouble: 'Damaged.'};
		const body = bodyOf(asking('Q?'), {session});
		expect(body).toContain('The session’s supervisor is not running.');
		expect(body).toContain('It is not known what waits now: Damaged.');
	});

	test('how each agent stands, and what it waits for', () => {
		const session = asking('Q?');
		session.says('AGT-001', 'PROGRESS: Count - 1/4');
		const body = bodyOf(session);
		expect(body).toMatch(/AGT-001[\s\S]*RUNNING[\s\S]*value="25"[\s\S]*waits for q-1/);
	});

	test('who answered what, so that nobody wonders where a question went', () => {
		const session = asking('{question: Which port?, type: number}');
		session.tell({kind: 'user.decided', item: 'q-1', choice: '8080', by: 'file', owner: 7});
		expect(bodyOf(session)).toContain('Answered &quot;8080&quot; from a file of user 7.');
	});

	test('all of it at once, with its own script and style', () => {
		const page = pageOf(viewOf(asking('Q?')), {style: 'p{}', script: 'go()'});
		expect(page).toContain('<style>p{}</style>');
		expect(page).toContain('<script>go()</script>');
		expect(page).not.toMatch(/(?:src|href)="(?!data:|work\/)/);
	});
});
