import type {Body} from '../../src/events/event.ts';
import type {Finding} from '../../src/events/finding.ts';
import {fold} from '../../src/state/apply/apply.ts';
import type {State} from '../../src/state/state.ts';
import {planOf, sessionStarted, subtask} from '../helpers/plan.ts';

const ready = (agent: string): Body => ({
	kind: 'workspace.prepared',
	agent,
	base: 'base',
	baseline: 'tree',
	onto: [],
	conflicts: [],
});

const snapshot = (agent: string, files: number): Body => ({
	kind: 'snapshot.taken',
	agent,
	number: 1,
	reason: 'exit:1',
	commit: 'commit',
	tree: 'tree',
	work: `work-${agent}`,
	files,
	outside: [],
	claims: [],
});

/** Git can't merge the two; the line of the second side is made to pass for something else. */
export const sameLine: Finding = {
	type: 'FILE_CONFLICT',
	rule: 'F1',
	kind: 'content',
	path: 'src/limit.ts',
	key: 'F1 src/limit.ts content',
	blocking: true,
	confidence: 'high',
	summary: 'Both sides changed the same lines of src/limit.ts.',
	evidence: [
		{
			side: 'a',
			path: 'src/limit.ts',
			line: 12,
			text: 'const most = 100;',
			section: 'export const limit',
		},
		{side: 'b', path: 'src/limit.ts', line: 12, text: 'const most\u001b[8m = 5;'},
	],
};

/** The merge is clean to git, and red. */
export const brokenCall: Finding = {
	type: 'API_CONFLICT',
	rule: 'A2',
	path: 'src/serve.ts',
	key: 'A2 src/serve.ts limit',
	blocking: true,
	confidence: 'high',
	summary: 'limit takes one more parameter now, and a new call does not give it.',
	evidence: [
		{
			side: 'a',
			path: 'src/limit.ts',
			line: 3,
			text: 'export const limit = (requests: number, burst: number) =>',
		},
		{side: 'b', path: 'src/serve.ts', line: 40, text: 'limit(open);'},
	],
	confirmed: {by: 'TypeScript 7.0.2', text: 'TS2554: Expected 2 arguments, but got 1.'},
};

/** Both may go on. */
export const aNote: Finding = {
	type: 'TEST_CONFLICT',
	rule: 'T2',
	path: 'test/limit.test.ts',
	key: 'T2 test/limit.test.ts',
	blocking: false,
	confidence: 'low',
	summary: 'One side changed what a test of the other one calls.',
	evidence: [
		{side: 'a', path: 'test/limit.test.ts', line: 8, text: 'expect(limit(1)).toBe(true);'},
		{side: 'b', path: 'src/limit.ts', line: 3, removed: true, text: 'export const limit ='},
	],
};

/** Returns what happens when two sides are compared. */
export const compared = (a: string, b: string, findings: readonly Finding[], more = 0): Body => ({
	kind: 'work.compared',
	a,
	b,
	findings,
	more,
});

/** Returns a session of these agents after these events. */
export const sessionOf = (ids: readonly string[], ...bodies: readonly Body[]): State =>
	fold(
		[sessionStarted(planOf(ids.map(id => subtask(id)))), ...bodies].map((body, position) => ({
			...body,
			seq: position + 1,
			at: '2026-01-01T00:00:00Z',
		})),
	);

/** Returns what makes an agent one with work to compare; with no changed file, it has none yet. */
export const atWork = (agent: string, files = 1): readonly Body[] => [
	ready(agent),
	snapshot(agent, files),
];

/** Three agents and a target that has moved: two collide, one of them has a note with the target, the third has no work yet. */
export const collidingState = sessionOf(
	['AGT-001', 'AGT-002', 'AGT-003'],
	...atWork('AGT-001'),
	...atWork('AGT-002'),
	...atWork('AGT-003', 0),
	{kind: 'target.moved', from: 'base', to: 'tip'},
	compared('AGT-001', 'AGT-002', [sameLine, brokenCall, aNote], 2),
	compared('AGT-002', 'target', [aNote]),
);
