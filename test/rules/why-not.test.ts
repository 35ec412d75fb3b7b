import {describe, expect, it} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import {
	accepted,
	banner,
	completed,
	type Given,
	planned,
	saying,
	stopWork,
	working,
} from '../helpers/given.ts';
import {checked, collide} from '../helpers/merging.ts';
import {planOf, sessionStarted, subtask} from '../helpers/plan.ts';
import {snapshotTaken} from '../helpers/quiet-outcome.ts';

const delegation =
	'[DELEGATE_WORK]\nnew_task_description: x\nindependence: blocks_current_work\n[/DELEGATE_WORK]\n';

describe('a decision', () => {
	it('on an item that is gone is refused, and the other way round nothing changes', () => {
		const session = completed(['AGT-001', 'AGT-002']);
		session.decide('r-1', 'merge');
		const before = session.events().length;
		expect(session.refusal('r-1', 'merge')).toBe(
			'No item r-1 waits for you; it was decided, or its cause is gone.',
		);
		expect(session.events()).toHaveLength(before);
	});

	it('that the item doesn’t offer is refused, and not taken for another', () => {
		const session = saying(banner);
		expect(session.refusal('cp-1', 'not yet')).toBe('"not yet" is not a choice for cp-1.');
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.refusal('cp-1', 'snooze')).toBeUndefined();
		expect(session.refusal('cp-1', 'continue')).toBeUndefined();
	});

	it('of the demo’s person counts only in a demo', () => {
		expect(planned(['AGT-001']).refusal('p-1', 'approve', {by: 'demo'})).toBe(
			'Scripted decisions are for the demo only.',
		);
		const demo = planned(['AGT-001'], {demo: true});
		expect(demo.refusal('p-1', 'approve', {by: 'demo'})).toBeUndefined();
		expect(demo.events().find(({kind}) => kind === 'user.decided')).toMatchObject({by: 'demo'});
	});

	it.each([
		['checkpoint', 'help', () => saying(banner)],
		['delegation', 'edit', () => saying(delegation)],
		['review', 'feedback', () => completed(['AGT-001'])],
	] as const)('of a %s that needs a note is refused without: %s', (kind, choice, make) => {
		const session = make();
		const {id} = session.item(kind);
		expect(session.refusal(id, choice)).toBe(
			`"${choice}" needs a note that says what the agent is to do.`,
		);
		expect(session.refusal(id, choice, {note: ' \n'})).toMatch(/needs a note/);
		expect(session.kinds()).toEqual([kind]);
		const more = {note: 'use sqlite', subtask: subtask('AGT-002')};
		expect(session.refusal(id, choice, more)).toBeUndefined();
	});

	it('to edit the plan needs a plan, and takes its agents', () => {
		const session = planned(['AGT-001']);
		expect(session.refusal('p-1', 'edit')).toMatch(/needs the plan file/);
		const plan = planOf([subtask('AGT-007')]);
		expect(session.refusal('p-1', 'edit', {plan})).toBeUndefined();
		expect(session.state().agents.map(({id, state}) => [id, state])).toEqual([
			['AGT-007', 'SPAWNING'],
		]);
	});

	it('to edit the plan into one with warnings starts nothing before that one is approved', () => {
		const session = planned(['AGT-001']);
		const plan = planOf([subtask('AGT-007')]);
		const warnings = ['warning: its scope is everything'];
		expect(session.refusal('p-1', 'edit', {plan, warnings})).toBeUndefined();
		expect(inbox(session.state())).toMatchObject([{id: 'p-2', kind: 'plan', warnings}]);
		expect(session.state().agents.map(({id, state}) => [id, state])).toEqual([
			['AGT-007', 'PENDING'],
		]);
		session.decide('p-2', 'approve');
		expect(session.stateOf('AGT-007')).toBe('SPAWNING');
	});

	it('to add an agent needs its subtask', () => {
		const session = saying(delegation);
		session.says('AGT-001', stopWork);
		expect(session.refusal('d-1', 'approve')).toMatch(/needs a subtask/);
		expect(session.refusal('b-1', 'delegate')).toMatch(/needs a subtask/);
		const more = {subtask: subtask('AGT-002')};
		expect(session.refusal('b-1', 'delegate', more)).toBeUndefined();
		expect(session.stateOf('AGT-002')).toBe('SPAWNING');
	});

	it('to add an agent is refused when its id was taken meanwhile', () => {
		const session = saying(delegation);
		session.says('AGT-001', delegation);
		const more = {subtask: subtask('AGT-002')};
		expect(session.refusal('d-1', 'approve', more)).toBeUndefined();
		expect(session.refusal('d-2', 'approve', more)).toBe('There is an agent AGT-002 already.');
		expect(session.kinds()).toEqual(['delegation']);
	});

	it('to salvage needs something to salvage', () => {
		const session = working(['AGT-001']);
		session.tell({kind: 'turn.ended', agent: 'AGT-001', turn: 1, end: {by: 'exit', code: 1}});
		session.tell({...snapshotTaken(session.state(), 'AGT-001', 'exit:1'), files: 0});
		expect(session.refusal('f-1', 'salvage')).toMatch(/nothing to salvage/);
		expect(session.kinds()).toEqual(['failure']);
	});

	it('to work again on top of the target is granted, whatever else collides with it', () => {
		const session = accepted(['AGT-001', 'AGT-002']);
		collide(
			session,
			{path: 'a.txt', a: ['target'], b: ['AGT-001']},
			{path: 'b.txt', a: ['target'], b: ['AGT-002']},
		);
		expect(session.refusal('c-1', 'redo:target,AGT-001')).toBeUndefined();
	});

	it('to work again on top of the target and an agent is refused while these two collide', () => {
		const session = accepted(['AGT-001', 'AGT-002']);
		collide(
			session,
			{path: 'a.txt', a: ['target'], b: ['AGT-001']},
			{path: 'b.txt', a: ['target', 'AGT-001'], b: ['AGT-002']},
		);
		expect(session.refusal('c-2', 'redo:target,AGT-001,AGT-002')).toBe(
			'AGT-001 collides with the target itself; resolve that first.',
		);
	});

	it('to work again on top of an agent is granted when the target is on that agent’s side', () => {
		const session = accepted(['AGT-001', 'AGT-002', 'AGT-003']);
		collide(
			session,
			{path: 'a.txt', a: ['AGT-001'], b: ['AGT-002']},
			{path: 'b.txt', a: ['target', 'AGT-001'], b: ['AGT-003']},
		);
		expect(session.refusal('c-1', 'redo:AGT-001,AGT-002')).toBeUndefined();
	});
});

describe('a decision that could not hold', () => {
	const asks = (path: string) =>
		`[SCOPE_REQUEST]\npaths: ["${path}"]\nreason: x\n[/SCOPE_REQUEST]\n`;
	const asking = (path: string): Given => {
		const scope = {allowed: ['src/**'], forbidden: ['lib/secret/**']};
		const session = saying(asks(path), [subtask('AGT-001', {scope})]);
		return session;
	};

	it.each([
		['docs/logs/x.md', 'No agent may write docs/logs/x.md.'],
		['docs/logs/', 'No agent may write docs/logs.'],
		['{notes,.git}/config', 'No agent may write .git/config.'],
		['lib/secret/key.ts', 'The plan forbids AGT-001 to write lib/secret/key.ts.'],
		['../outside.txt', 'The glob "../outside.txt" holds `..`; it can’t leave the repository.'],
	])('allows no agent %s', (path, why) => {
		expect(asking(path).refusal('s-1', 'once')).toBe(why);
		expect(asking(path).refusal('s-1', 'widen')).toBe(why);
		expect(asking('a.md').refusal('s-1', 'widen', {note: `a.md, ${path}`})).toBe(why);
	});

	it('is none about files that braces name', () => {
		const session = asking('{notes,docs/readme}.md');
		expect(
			session.refusal('s-1', 'widen', {note: '{notes,docs/readme}.md, lib/**'}),
		).toBeUndefined();
		const {scope} = session.agent('AGT-001').subtask;
		expect(scope.allowed).toEqual(['src/**', '{notes,docs/readme}.md', 'lib/**']);
		expect(asking('{notes,docs/readme}.md').refusal('s-1', 'once')).toBeUndefined();
	});

	it('widens no scope by a glob that can’t be read', () => {
		expect(asking('src/x.ts').refusal('s-1', 'widen', {note: 'src/** /abs'})).toMatch(
			/^The glob "\/abs" is absolute/,
		);
		expect(asking('src/x.ts').refusal('s-1', 'widen', {note: 'src/**, test/**'})).toBeUndefined();
	});

	it('edits no plan into another target', () => {
		const session = planned(['AGT-001']);
		const plan = {...planOf([subtask('AGT-001')]), target: 'elsewhere'};
		expect(session.refusal('p-1', 'edit', {plan})).toMatch(/^This session merges into /);
	});
});

describe('a command', () => {
	it('to start is refused while a session is active, and granted after its end', () => {
		const session = completed(['AGT-001']);
		const event = sessionStarted(planOf([subtask('AGT-001')]));
		const start = {kind: 'start', event, approved: false} as const;
		expect(session.ask(start)).toMatch(/^Session DEL-.* is active in this repository/);
		session.decide('r-1', 'abort');
		expect(session.ask(start)).toBeUndefined();
	});

	it('to add an agent is refused when its id is taken', () => {
		const session = working(['AGT-001']);
		expect(session.ask({kind: 'add', subtask: subtask('AGT-001')})).toBe(
			'There is an agent AGT-001 already.',
		);
		expect(session.ask({kind: 'add', subtask: subtask('AGT-002')})).toBeUndefined();
		expect(session.stateOf('AGT-002')).toBe('SPAWNING');
	});

	it('to add an agent is refused while the approved result is being merged', () => {
		const session = checked(['AGT-001']);
		session.decide('a-1', 'approve');
		expect(session.ask({kind: 'add', subtask: subtask('AGT-002')})).toBe(
			'The approved result is being merged.',
		);
	});
});
