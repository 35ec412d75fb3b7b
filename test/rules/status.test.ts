import {expect, test} from 'vitest';
import {statusOf} from '../../src/rules/status.ts';
import {type Given, planned, saying, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';

const resultsOf = (session: Given) =>
	statusOf(session.state(), () => ({worktree: '', branch: ''})).agents.map(({results}) => results);

test('what an agent has used up is told with its status, and that it told nothing', () => {
	const {agents} = statusOf(working(['AGT-001', 'AGT-002']).state(), id => ({
		...{worktree: '', branch: ''},
		...(id === 'AGT-001' ? {spent: {tokens: 120, cost: {USD: 1.5}}} : {}),
	}));
	expect(agents.map(({tokens, cost}) => ({tokens, cost}))).toEqual([
		{tokens: 120, cost: {USD: 1.5}},
		{tokens: null, cost: null},
	]);
});

test('what an agent brings is told with its status: each result at once, the rest when it has ended', () => {
	const session = saying('SUMMARY: 12 patterns found\n', ['AGT-001', 'AGT-002']);
	session.says(
		'AGT-002',
		'| Topic | Status | Path | Summary |\n|---|---|---|---|\n| Auth | done | auth.md | Found 12 |\n\n',
	);
	const row = {topic: 'Auth', status: 'done', path: 'auth.md', summary: 'Found 12'};
	expect(resultsOf(session)).toEqual([[], [row]]);

	session.finishes('AGT-001');
	session.work();
	expect(resultsOf(session)[0]).toMatchObject([
		{status: 'success', summary: '12 patterns found', topic: 'Part of AGT-001'},
	]);
});

test('all that an agent comes after is told as what it waits for', () => {
	const session = planned([
		subtask('AGT-001'),
		subtask('AGT-002'),
		{...subtask('AGT-003'), after: ['AGT-001', 'AGT-002']},
	]);
	const {agents} = statusOf(session.state(), () => ({worktree: '', branch: ''}));
	expect(agents[2]).toMatchObject({waitingFor: 'AGT-001', alsoWaitingFor: ['AGT-002']});
	expect(agents[0]).toMatchObject({waitingFor: null, alsoWaitingFor: []});
});

test('a count that is said again after feedback is told once', () => {
	const session = saying('COUNT: 7\nCOUNT: 7\nCOUNT: 8\n', ['AGT-001']);
	expect(session.state().agents[0]?.updates.counts).toEqual([7, 8]);
});
