import {expect, test} from 'vitest';
import type {MissedPath} from '../../src/events/event.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {workNotes} from '../../src/state/agent/work-notes.ts';
import {completed} from '../helpers/given.ts';

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
