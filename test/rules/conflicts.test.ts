import {describe, expect, it} from 'vitest';
import {conflictTitle} from '../../src/state/items/conflict/conflict.ts';
import {accepted, type Given} from '../helpers/given.ts';
import {builds, collide, secondSalvaged} from '../helpers/merging.ts';

const pair = ['AGT-001', 'AGT-002'];

const redo = (session: Given, id: string): void => {
	session.work();
	session.finishes(id);
	session.decide(session.item('review').id, 'merge');
};

describe('a conflict', () => {
	const conflicted = (): Given => {
		const session = accepted(pair);
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		expect(session.kinds()).toEqual(['conflict']);
		expect(builds(session)).toBe(false);
		return session;
	};

	it.each([
		['choose-one:AGT-001', ['AGT-001']],
		['choose-one:AGT-002', ['AGT-002']],
	])('takes a side: %s', (choice, winner) => {
		const session = conflicted();
		session.decide('c-1', choice);
		expect(session.state().resolutions).toEqual([
			{path: 'a.txt', a: ['AGT-001'], b: ['AGT-002'], choice: 'choose-one', winner},
		]);
		expect(session.keys()).toEqual(['build:base:AGT-001@1:AGT-002@1:1']);
	});

	it.each(['check:choose-one:AGT-009', 'check:drop:AGT-001', 'check:'])(
		'has no check of what is no choice of it: %s',
		choice => {
			expect(conflicted().refusal('c-1', choice)).toContain('is not a choice');
		},
	);

	it.each([
		['src/new.txt', 'choose-one:AGT-001', {gives: ['src/new.txt', 'src/old.txt']}],
		['src/old.txt', 'choose-one:AGT-002', {gives: ['src/old.txt', 'src/new.txt']}],
	])('in %s by %s: whose file has another name gives up that one', (path, choice, gives) => {
		const session = accepted(['AGT-001', 'AGT-002']);
		session.tell(
			{
				...{kind: 'conflict.found', path, a: ['AGT-001'], b: ['AGT-002']},
				...{type: 'FILE_CONFLICT', summary: 'moved', stages: {base: null, a: null, b: null}},
				evidence: [
					{side: 'a', path: 'src/new.txt'},
					{side: 'b', path: 'src/old.txt', line: 1},
				],
			},
			{kind: 'merge.blocked', conflicts: ['c-1']},
		);
		session.decide('c-1', choice);
		expect(session.state().resolutions).toMatchObject([gives]);
	});

	describe('where a file stands in the way of a folder', () => {
		const blob = {mode: '100644', oid: '1'.repeat(40)};
		const path = `docs~${'a'.repeat(40)}`;
		const inTheWay = (): Given => {
			const session = accepted(pair);
			session.tell(
				{
					...{kind: 'conflict.found', path, a: ['AGT-001'], b: ['AGT-002']},
					...{type: 'FILE_CONFLICT', summary: 'in the way'},
					stages: {base: null, a: blob, b: null},
					evidence: [
						{side: 'a', path: 'docs', line: 1},
						{side: 'b', path: 'docs/one.md', line: 1},
					],
				},
				{kind: 'merge.blocked', conflicts: ['c-1']},
			);
			return session;
		};

		it('is told by the name that both want', () => {
			const session = inTheWay();
			expect(session.item('conflict').path).toBe(path);
			expect(conflictTitle(session.state(), session.item('conflict'))).toBe(
				'AGT-001 and AGT-002 collide in docs: AGT-001 has a file there, AGT-002 a folder or a link',
			);
		});

		it('lets the folder go as a whole', () => {
			const session = inTheWay();
			session.decide('c-1', 'choose-one:AGT-001');
			expect(session.state().resolutions).toMatchObject([{gives: [path, 'docs', 'docs/one.md']}]);
		});

		it('is settled by hand with names that were in nobody’s scope', () => {
			const session = inTheWay();
			const files = [
				{path: 'docs', entry: null},
				{path: 'guide', entry: blob},
			];
			session.decide('c-1', 'manual');
			session.tell({kind: 'resolution.opened', conflict: 'c-1', folder: '/folder'});
			session.tell({kind: 'user.decided', item: 'c-1', choice: 'done', by: 'user', files});
			expect(session.state().resolutions).toMatchObject([{files, mends: ['docs', 'guide']}]);
		});

		it('is not for a neutral agent, which could give nothing another name', () => {
			const session = inTheWay();
			expect(() => session.decide('c-1', 'arbiter:AGT-001')).toThrow(/another name by hand/);
		});
	});

	it('is resolved by hand in a folder, and not while markers remain', () => {
		const session = conflicted();
		session.decide('c-1', 'manual');
		expect(session.keys()).toEqual(['open-resolution:c-1']);
		session.work();
		expect(session.item('conflict').manual).toEqual({
			phase: 'open',
			folder: '/resolutions/c-1',
		});
		const done = {kind: 'decide', item: 'c-1', choice: 'done', by: 'user'} as const;
		const files = [{path: 'a.txt', entry: {mode: '100644', oid: '1'}}];
		expect(session.ask({...done, seen: {files, marked: ['a.txt']}})).toBe(
			'Conflict markers remain in a.txt.',
		);
		expect(session.ask({...done, seen: {files: [], marked: []}})).toMatch(/holds no file/);
		expect(session.kinds()).toEqual(['conflict']);
		expect(session.ask({...done, seen: {files, marked: []}})).toBeUndefined();
		expect(session.state().resolutions).toMatchObject([{choice: 'manual', files}]);
		expect(builds(session)).toBe(true);
	});

	it('sends the later agent back onto the earlier one', () => {
		const session = conflicted();
		session.decide('c-1', 'redo:AGT-001,AGT-002');
		expect(session.owed().effects).toEqual([
			{key: {do: 'rework', agent: 'AGT-002'}, do: 'rework', agent: 'AGT-002', onto: ['AGT-001']},
		]);
		redo(session, 'AGT-002');
		expect(session.agent('AGT-002').workspace).toMatchObject({onto: ['AGT-001']});
		expect(session.keys()).toEqual(['build:base:AGT-001@1:AGT-002@2:0']);
	});

	it('sends back an agent whose work was salvaged, too', () => {
		const session = secondSalvaged();
		collide(session, {a: ['AGT-001'], b: ['AGT-002']});
		session.decide('c-1', 'redo:AGT-001,AGT-002');
		expect(session.keys()).toEqual(['rework:AGT-002']);
		session.work();
		expect(session.stateOf('AGT-002')).toBe('RUNNING');
	});

	it('sends an agent back onto a moved target, also when its worktree had to be recreated first', () => {
		const session = accepted(['AGT-001']);
		collide(session, {a: ['target'], b: ['AGT-001']});
		session.decide('c-1', 'redo:target,AGT-001');
		expect(session.owed().effects).toMatchObject([{do: 'rework', agent: 'AGT-001', onto: []}]);
		const {workspace} = session.agent('AGT-001');
		if (workspace.phase !== 'ready') {
			throw new Error('There is no worktree.');
		}

		const {phase: _, ...place} = workspace;
		const rebuilt = {snapshot: 1, aside: 'AGT-001/replaced-x'};
		session.tell({kind: 'workspace.prepared', agent: 'AGT-001', ...place, rebuilt});
		expect(session.agent('AGT-001')).toMatchObject({workspace, rebuilt: 1});
		expect(session.keys()).toEqual(['rework:AGT-001']);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('is not the last: building waits for all of them', () => {
		const session = accepted(pair);
		const sides = {a: ['AGT-001'], b: ['AGT-002']};
		collide(session, {...sides, path: 'a.txt'}, {...sides, path: 'b.txt'});
		session.decide('c-1', 'choose-one:AGT-001');
		expect(builds(session)).toBe(false);
		session.decide('c-2', 'choose-one:AGT-002');
		expect(builds(session)).toBe(true);
	});

	it('that is resolved is void when the work changes', () => {
		const session = accepted([...pair, 'AGT-003']);
		collide(
			session,
			{path: 'a.txt', a: ['AGT-001'], b: ['AGT-002']},
			{path: 'b.txt', a: ['AGT-001'], b: ['AGT-003']},
			{path: 'c.txt', a: ['AGT-002'], b: ['AGT-003']},
		);
		session.decide('c-1', 'choose-one:AGT-001');
		session.decide('c-3', 'choose-one:AGT-002');
		session.decide('c-2', 'redo:AGT-001,AGT-003');
		expect(session.state().resolutions.map(({path}) => path)).toEqual(['a.txt']);
	});

	it('with the target that is resolved is void when the target moves', () => {
		const session = accepted(['AGT-001']);
		collide(session, {a: ['target'], b: ['AGT-001']});
		session.decide('c-1', 'choose-one:target');
		expect(session.state().resolutions).toHaveLength(1);
		session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
		expect(session.state().resolutions).toEqual([]);
	});

	it('can’t be decided while what goes into the merge changes', () => {
		const session = conflicted();
		session.tell({kind: 'target.moved', from: 'base', to: 'theirs'});
		const choice = 'choose-one:AGT-001';
		expect(session.refusal('c-1', choice)).toMatch(/^The work to merge is changing/);
		session.tell({kind: 'conflict.gone', conflict: 'c-1'});
		expect(session.kinds()).toEqual([]);
	});
});
