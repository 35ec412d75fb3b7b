import {expect, test} from 'vitest';
import type {MissedPath} from '../../src/events/event.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {resultNotes, workNotes} from '../../src/state/agent/work-notes.ts';
import {approval} from '../../src/state/items/approval.ts';
import {accepted, completed, report, saying} from '../helpers/given.ts';
import {mergeBuilt} from '../helpers/happened.ts';
import {subtask} from '../helpers/plan.ts';

/** An agent whose last snapshot lacks these paths. */
const without = (missed: readonly MissedPath[]): Agent => {
	const [agent] = completed(['AGT-001']).state().agents;
	const [snapshot] = agent?.snapshots ?? [];
	if (agent === undefined || snapshot === undefined) {
		throw new Error('It has a snapshot.');
	}

	return {
		...agent,
		snapshots: [
			{...snapshot, missed: [{path: 'old', why: 'name'}]},
			{...snapshot, missed},
		],
	};
};

test('each path that the last snapshot lacks is told with its reason, and of very many their number', () => {
	const whys = ['special', 'unreadable', 'submodule', 'name', 'nested'] as const;
	const notes = workNotes(without(whys.map(why => ({path: why, why}))));
	expect(notes).toHaveLength(5);
	expect(new Set(notes.map(note => note.replace(/^\S+/, ''))).size).toBe(5);
	expect(notes[1]).toBe('unreadable is not in its work: it can’t be read.');

	const pipes = Array.from(
		{length: 25},
		(_, index) => ({path: `p${index}`, why: 'special'}) as const,
	);
	const many = workNotes(without(pipes));
	expect(many).toHaveLength(11);
	expect(many.at(-1)).toBe('15 more paths are not in its work.');
	expect(workNotes(without([]))).toEqual([]);
});

test('what an agent hid from its work is told by its number and some of its paths', () => {
	const [agent] = completed(['AGT-001']).state().agents;
	const paths = Array.from({length: 20}, (_, index) => `gen/${index}`);
	const hidden = [{by: 'rule', paths, count: 4000}] as const;
	const snapshots = agent?.snapshots.map(snapshot => ({...snapshot, hidden})) ?? [];
	expect(workNotes({...without([]), snapshots})).toEqual([
		'4000 files are left out because its own ignore rule hides them: gen/0, gen/1, gen/2, gen/3, gen/4 and 3995 more.',
	]);
});

test('a result that brings nothing is not said to be there already when its agent hid work', () => {
	const session = accepted(['AGT-001']);
	const agents = session.state().agents.map(agent => ({
		...agent,
		snapshots: agent.snapshots.map(snapshot => ({
			...snapshot,
			hidden: [{by: 'rule', paths: ['secret'], count: 1}] as const,
		})),
	}));
	const built = mergeBuilt({commit: '1', tree: '2', tip: '1', files: 0});
	const verified = {ok: true, commands: [], log: null};
	const merge = {phase: 'verified', built, verified} as const;
	const state = {...session.state(), agents, merge};
	expect(resultNotes(state)).toEqual([
		'AGT-001: 1 file is left out because its own ignore rule hides it: secret.',
	]);
	expect(
		approval.title(state, {
			commit: '1',
			tree: '2',
			tip: '1',
			id: 'a-1',
			number: 1,
			kind: 'approval',
			opened: '',
		}),
	).toContain('nothing to merge, although part of the work of AGT-001 is not in it');
});

test('what a plan expects and was never said is told once its agent has ended, and so is a long summary', () => {
	const expectant = {...subtask('AGT-001'), expect: ['CREATED', 'COVERAGE', 'TITLE']};
	const session = saying(`CREATED: a.md\nCOVERAGE: 94\nSUMMARY: ${'x'.repeat(201)}\n`, [expectant]);
	expect(workNotes(session.agent('AGT-001'))).toEqual([]);
	session.says('AGT-001', report('success'));
	expect(workNotes(session.agent('AGT-001'))).toEqual([
		'The plan expects TITLE, and it never said so.',
		'Its summary is longer than 200 characters.',
	]);
});
