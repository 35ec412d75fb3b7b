import {describe, expect, it} from 'vitest';
import {detailText} from '../../src/client/texts/describe.ts';
import {itemText} from '../../src/client/texts/item-text.ts';
import type {FileCollision} from '../../src/events/kinds/merge-event.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {notificationsSince} from '../../src/rules/notifications.ts';
import {statusOf} from '../../src/rules/status.ts';
import {
	accepted,
	asking,
	checkpoint,
	completed,
	type Given,
	planned,
	saying,
	starting,
	stopWork,
	working,
} from '../helpers/given.ts';
import {build, checked, collide, evidenceAt, verify} from '../helpers/merging.ts';
import {subtask} from '../helpers/plan.ts';

const choicesOf = (session: Given): readonly string[] =>
	inbox(session.state()).flatMap(({choices}) => choices.map(({choice}) => choice));

const says = (text: string): Given => {
	const session = saying(text);
	session.work();
	return session;
};

const ask = (fields: string): string => asking(`questions:\n  - {${fields}}`);

const delegation = '[DELEGATE_WORK]\nnew_task_description: Set up Redis\n[/DELEGATE_WORK]\n';
const scope = '[SCOPE_REQUEST]\npaths: [src/server.ts]\n[/SCOPE_REQUEST]\n';
const banner = checkpoint('Status: IN_PROGRESS\nProgress: 40%\n## Request\nMERGE');

describe('each kind of item has its choices', () => {
	it.each([
		['plan', () => planned(['AGT-001']), ['approve', 'edit', 'reject']],
		['question', () => says(ask('question: Which?')), ['snooze']],
		['checkpoint', () => says(banner), ['continue', 'merge', 'help', 'restore:1', 'abort']],
		[
			'blocker',
			() => says(stopWork),
			['run', 'resolved', 'retry', 'skip', 'delegate', 'delegate-wait', 'retry-from:1', 'abort'],
		],
		['delegation', () => says(delegation), ['approve', 'edit', 'reject']],
		['scope', () => says(scope), ['once', 'widen', 'refuse', 'abort']],
		['review', () => completed(['AGT-001']), ['merge', 'feedback', 'abort']],
		['limit', () => limited(), ['extend', 'complete', 'abort']],
		['failure', () => failed(), ['retry', 'retry-from:1', 'salvage', 'abandon', 'redistribute']],
		['verify', () => checked(['AGT-001'], false), ['retry', 'feedback', 'accept', 'abort']],
		['approval', () => checked(['AGT-001']), ['approve', 'reject']],
	] as const)('%s', (kind, make, choices) => {
		const session = make();
		expect(session.kinds()).toEqual([kind]);
		expect(choicesOf(session)).toEqual(choices);
		const [item] = inbox(session.state());
		expect(item).toMatchObject({kind, free: kind === 'question'});
		expect(item?.title).not.toBe('');
	});

	it.each([
		['checkpoint', () => says(banner)],
		['blocker', () => says(stopWork)],
		['failure', () => failed()],
	] as const)('%s: a snapshot is named without a digit, which would look like a key', (_, make) => {
		const snapshots = inbox(make().state())
			.flatMap(({choices}) => choices)
			.filter(({choice}) => choice.endsWith(':1'));
		expect(snapshots).toMatchObject([
			{label: expect.stringMatching(/^\D* its first snapshot\b\D*$/)},
		]);
	});

	it('a checkpoint comes with its own snapshot, unless a full disk leaves no room for that', () => {
		const session = saying(banner);
		const [item] = session.state().items;
		const reason = item?.kind === 'checkpoint' ? item.snapshot : '';
		const shown = () => [
			inbox(session.state()).map(({kind}) => kind),
			statusOf(session.state(), () => ({worktree: '', branch: ''})).inbox,
		];
		expect([item?.kind, shown()]).toEqual(['checkpoint', [[], 0]]);
		expect(notificationsSince(session.state(), session.state())).toEqual([]);

		const full = {kind: 'machine.disk', level: 'full', free: 1, total: 2, folder: '/'} as const;
		session.tell(full);
		expect(shown()).toEqual([['checkpoint'], 1]);
		session.tell({...full, level: 'enough'});
		expect(shown()).toEqual([[], 0]);
		const effect = {do: 'snapshot', agent: 'AGT-001', reason} as const;
		session.tell({kind: 'effect.failed', effect, message: 'No.', final: true});
		expect(shown()).toEqual([['failure'], 1]);

		const later = saying(banner);
		const before = later.state();
		later.work();
		expect(inbox(later.state())).toMatchObject([{kind: 'checkpoint', files: 1, outside: []}]);
		expect(notificationsSince(before, later.state())).toHaveLength(1);
	});

	it('a start that failed by its setup, with the end of what that printed', () => {
		const session = starting(['AGT-001']);
		const effect = {do: 'prepare', agent: 'AGT-001'} as const;
		const told = {message: 'setup failed: `npm ci` exited with 1.', hint: 'All is in setup.log'};
		session.tell({
			kind: 'effect.failed',
			effect,
			...told,
			printed: ['npm error', '404'],
			final: true,
		});
		const [item] = inbox(session.state());
		expect(item && detailText(item, '')).toEqual([
			'It printed last: npm error',
			'It printed last: 404',
			'Hint: All is in setup.log',
		]);
		session.decide('f-1', 'retry');
		session.tell({kind: 'effect.failed', effect, message: 'The disk is full.', final: true});
		expect(inbox(session.state())[0]).not.toHaveProperty('printed');
	});

	it('conflict, for two agents and for an agent and the target', () => {
		const session = accepted(['AGT-001', 'AGT-002']);
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		expect(choicesOf(session)).toEqual([
			'choose-one:AGT-001',
			'choose-one:AGT-002',
			'manual',
			'sequential:AGT-001,AGT-002',
			'sequential:AGT-002,AGT-001',
			'redo:AGT-001,AGT-002',
			'redo:AGT-002,AGT-001',
			'abort:AGT-001',
			'abort:AGT-002',
			'arbiter:AGT-001',
			'arbiter:AGT-002',
		]);
		const other = accepted(['AGT-001']);
		collide(other, {a: ['target'], b: ['AGT-001']});
		expect(choicesOf(other)).toEqual([
			'choose-one:target',
			'choose-one:AGT-001',
			'manual',
			'sequential:target,AGT-001',
			'redo:target,AGT-001',
			'abort:AGT-001',
			'arbiter:AGT-001',
		]);
	});

	it('conflict, once its folder is open, is done instead', () => {
		const session = accepted(['AGT-001']);
		collide(session, {a: ['target'], b: ['AGT-001']});
		session.decide('c-1', 'manual');
		session.work();
		expect(choicesOf(session)).toContain('done');
		expect(choicesOf(session)).not.toContain('manual');
		expect(inbox(session.state())).toMatchObject([{folder: '/resolutions/c-1', path: 'a.txt'}]);
	});
});

describe('a question', () => {
	it.each([
		['question: Which?', true, []],
		['question: Which?, options: [a, b]', false, ['a', 'b']],
		['question: Sure?, type: yes-no', false, ['yes', 'no']],
		['question: Which?, type: text, options: [a, b]', true, ['a', 'b']],
		['question: Port?, type: number', true, []],
	])('offers what it asks for: %s', (fields, free, options) => {
		const [item] = inbox(says(ask(fields)).state());
		expect(item?.free).toBe(free);
		expect(item?.choices.map(({choice}) => choice)).toEqual([...options, 'snooze']);
	});

	it('carries its fields, its group and how its agent waits', () => {
		const session = says(ask('question: Port?, type: regex, pattern: "^8", required: false'));
		const [asked] = session.events().filter(({kind}) => kind === 'signal.said');
		expect(inbox(session.state())).toMatchObject([
			{
				agent: 'AGT-001',
				title: 'Port?',
				group: asked?.seq,
				required: false,
				type: 'regex',
				pattern: '^8',
				asked_at: asked?.at,
				waits: 'goes-on',
			},
		]);
	});

	it('has a deadline where its agent waits in its turn, and none once it is parked', () => {
		const agent = {protocol: 'text', command: ['agent'], reply: 'stdin'} as const;
		const session = saying(ask('question: Port?'), [subtask('AGT-001', {agent})]);
		const {deadline} = session.item('question');
		expect(inbox(session.state())).toMatchObject([{waits: 'until', deadline}]);
		session.ends('AGT-001');
		const [parked] = inbox(session.state());
		expect(parked).toMatchObject({waits: 'parked'});
		expect(parked).not.toHaveProperty('deadline');
	});

	it('that is put off is shown last, and still waits', () => {
		const session = says(ask('question: One?').replace('\n[/', '\n  - {question: Two?}\n[/'));
		const titles = () => inbox(session.state()).map(({title}) => title);
		expect(titles()).toEqual(['One?', 'Two?']);
		session.decide('q-1', 'snooze');
		expect(titles()).toEqual(['Two?', 'One?']);
		expect(session.keys()).toEqual([]);
		session.decide('q-1', 'yes');
		expect(titles()).toEqual(['Two?']);
	});
});

describe('an item', () => {
	it('greys the choice that can’t be taken now, with the reason', () => {
		const session = accepted(['AGT-001', 'AGT-002']);
		collide(
			session,
			{path: 'a.txt', a: ['target'], b: ['AGT-001']},
			{path: 'b.txt', a: ['AGT-001'], b: ['AGT-002']},
		);
		const choices = inbox(session.state())[1]?.choices ?? [];
		const refused = choices.filter(({whyNot}) => whyNot !== undefined);
		expect(refused).toMatchObject([
			{choice: 'sequential:AGT-001,AGT-002', whyNot: expect.stringMatching(/resolve that first/)},
			{choice: 'redo:AGT-001,AGT-002', whyNot: expect.stringMatching(/resolve that first/)},
		]);
	});

	it('of a conflict tells in its title what each side did to the file', () => {
		const [held, none] = [{mode: '100644', oid: 'content'}, null];
		const titleWith = (stages: FileCollision['stages']) => {
			const session = accepted(['AGT-001', 'AGT-002']);
			session.tell({
				kind: 'conflict.found',
				path: 'a.txt',
				a: ['AGT-001'],
				b: ['AGT-002'],
				type: 'FILE_CONFLICT',
				summary: 'CONFLICT (content): Merge conflict in a.txt',
				stages,
				evidence: evidenceAt('a.txt'),
			});
			return inbox(session.state())[0]?.title;
		};
		const start = 'AGT-001 and AGT-002 collide in a.txt: ';
		expect(titleWith({base: held, a: held, b: held})).toBe(`${start}both changed it`);
		expect(titleWith({base: none, a: held, b: held})).toBe(`${start}both added it`);
		expect(titleWith({base: held, a: none, b: held})).toBe(
			`${start}AGT-001 deleted it, AGT-002 changed it`,
		);
		expect(titleWith({base: held, a: held, b: none})).toBe(
			`${start}AGT-002 deleted it, AGT-001 changed it`,
		);
		expect(titleWith({base: none, a: held, b: none})).toBe(`${start}one of them renamed it`);
	});

	it('of a checkpoint tells how far the agent is, and what it would like', () => {
		expect(inbox(says(banner).state())).toMatchObject([
			{title: 'Checkpoint: in progress, 40 %; it asks to be merged', request: 'MERGE'},
		]);
	});

	it('of an approval names what would be merged, and whether it was checked', () => {
		expect(inbox(checked(['AGT-001']).state())).toMatchObject([
			{
				title: 'Merge AGT-001 into main (1 file, checked)',
				commit: 'result',
				tree: 'tree of result',
			},
		]);
		const told = (ok: boolean) => {
			const session = checked(['AGT-001'], ok, {success: ['all tests pass', 'p99 < 1 ms']});
			if (!ok) {
				session.decide('v-1', 'accept');
			}

			const [item] = inbox(session.state());
			return item === undefined ? [] : detailText(item, '');
		};
		expect(told(true)).toContain('Done when: all tests pass · passed in the check of the result');
		expect(told(true)).toContain('Done when: p99 < 1 ms');
		expect(told(false)).toContain('Done when: all tests pass · failed in the check of the result');
		const session = checked(['AGT-001'], false);
		session.decide('v-1', 'accept');
		expect(inbox(session.state())[0]?.title).toContain('its check FAILED');
	});

	it('of an approval of what is there already says so, and shows no differences', () => {
		const session = accepted(['AGT-001']);
		build(session, 'base', 'base');
		verify(session, true, 'base');
		const [item] = inbox(session.state());
		expect(item?.title).toBe(
			'Merge AGT-001 into main: nothing to merge, it is all there already (checked)',
		);
		expect(item && itemText(item, 'store.git')).not.toContain('look at it');
	});
});

const limited = (): Given => {
	const session = working(['AGT-001']);
	session.pass('limit:');
	return session;
};

const failed = (): Given => {
	const session = working(['AGT-001']);
	session.ends('AGT-001', {by: 'exit', code: 1});
	return session;
};

describe('what the rules say of work that an agent wants to hand on', () => {
	const handingOn = (task: string, session = working(['AGT-001', 'AGT-002'])) => {
		session.says('AGT-001', `[DELEGATE_WORK]\nnew_task_description: ${task}\n[/DELEGATE_WORK]\n`);
		return session;
	};

	const judged = (session: Given) =>
		inbox(session.state()).findLast(item => item.kind === 'delegation');

	it('is that nothing speaks against it, and whose scope it would share', () => {
		expect(judged(handingOn('Set up Redis'))).toMatchObject({
			...{justified: true, doubts: [], depth: 1, deepest: 3, independent: true, place_free: true},
			overlap: ['AGT-001'],
		});
	});

	it('is that somebody does it already, or that it was asked for or refused before', () => {
		const session = handingOn('part of  AGT-002');
		expect(judged(session)?.doubts).toEqual(['AGT-002 is doing that, or has done it.']);
		handingOn('Set up Redis', session);
		handingOn('set up redis', session);
		expect(judged(session)?.doubts).toEqual([expect.stringMatching(/^d-\d asks for the same\.$/)]);
		const {id = ''} = judged(session) ?? {};
		session.decide(id, 'reject', 'no');
		handingOn('Set up redis', session);
		expect(judged(session)?.doubts).toContain('A person has refused it before.');
	});

	it('is how deep it would be, and no work is handed on more deeply than a session allows', () => {
		const session = working(['AGT-001', 'AGT-002', 'AGT-003'], {settings: {depth: 1}});
		const ask = (agent: string) =>
			session.says(
				agent,
				`[DELEGATE_WORK]\nnew_task_description: More of ${agent}\n[/DELEGATE_WORK]\n`,
			);
		ask('AGT-001');
		session.decide('d-1', 'approve', undefined, {subtask: subtask('AGT-004')});
		session.ends('AGT-002');
		session.finishes('AGT-003');
		session.work();
		ask('AGT-004');
		const [first, chain] = [judged(session), 'AGT-001 › AGT-004 › the new agent'];
		expect(first).toMatchObject({depth: 2, deepest: 1, justified: false, doubts: []});
		const item = inbox(session.state()).find(({id}) => id === 'd-2');
		const lines = item === undefined ? [] : detailText(item, '');
		expect(lines).toContain('Justified: ✓ nothing else speaks against it');
		expect(lines).toContain(`Depth: ✗ handed on 2 times, of 1 at most: ${chain}`);
		expect(session.refusal('d-2', 'approve', {subtask: subtask('AGT-005')})).toContain(chain);
		expect(session.refusal('d-2', 'reject')).toBeUndefined();
	});
});
