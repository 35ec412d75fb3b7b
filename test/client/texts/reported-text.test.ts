import {expect, test} from 'vitest';
import {spentText} from '../../../src/client/texts/reported-text.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import {working} from '../../helpers/given.ts';
import {scopeLeft} from '../../helpers/happened.ts';
import {subtask} from '../../helpers/plan.ts';
import {textOf} from './text-of.ts';

const partial = `[COMPLETION_REPORT]
status: partial
deliverables: [src/a.ts]
metrics_achieved: {coverage: 61}
recommendations: [Fix the clock]
[/COMPLETION_REPORT]
`;

const told = `CREATED: src/a.ts
TITLE: Auth research
COUNT: 12
SUMMARY: Half of it
CHECKPOINT: Research complete
- Artifacts: 3
ERROR: TIMEOUT - took too long
RECOVERY: try again
| Topic | Status | Path | Summary |
|---|---|---|---|
| Auth | done | a.md | Twelve patterns |
[FINDING]
finding: The clock jumps
[/FINDING]
`;

test('what an agent reports that came only half way stands in its failure, beside what the plan measures it by', () => {
	const session = working([{...subtask('AGT-001'), metrics: ['coverage ≥ 90 %']}]);
	session.says('AGT-001', told + partial);
	session.ends('AGT-001');
	expect(inbox(session.state())).toMatchObject([
		{
			kind: 'failure',
			work_title: 'Auth research',
			created: ['src/a.ts'],
			counts: [12],
			deliverables: ['src/a.ts'],
			metrics: ['coverage ≥ 90 %'],
			metrics_achieved: {coverage: 61},
			criteria: [{criterion: 'coverage ≥ 90 %'}],
			results: [{topic: 'Auth', status: 'done', path: 'a.md', summary: 'Twelve patterns'}],
			errors: [{category: 'TIMEOUT', recovery: 'try again'}],
		},
	]);
	expect(textOf(session)).toContain(`
    Title: Auth research
    Created, it says: src/a.ts
    Count: 12
    Summary: Half of it
    Recommends: Fix the clock
    Result: Auth · done · a.md · Twelve patterns
    It reported: finished Research, 3 artifacts
    It reported: found out: The clock jumps
    It reported: error TIMEOUT: took too long · may help: try again
    Delivered, it says: src/a.ts
    Measured by: coverage ≥ 90 %
    Measured, it says: coverage: 61
`);
});

test('what was reverted in any turn is told with the item, and what an agent wants of its scope with its reason', () => {
	const session = working(['AGT-001']);
	session.tell(scopeLeft('docs/a.md'), scopeLeft('git push', {change: 'refused'}));
	session.says(
		'AGT-001',
		'[SCOPE_REQUEST]\npaths: [docs/b.md]\nreason: mount it\n[/SCOPE_REQUEST]\n',
	);
	expect(textOf(session)).toContain('    Why: mount it\n');
	session.says('AGT-001', partial);
	session.ends('AGT-001');
	session.decide('s-1', 'refuse');
	session.work();
	session.says('AGT-001', partial);
	session.ends('AGT-001');
	expect(inbox(session.state())).toMatchObject([{outside: ['docs/a.md'], blocked: ['git push']}]);
	expect(textOf(session)).toContain('    Reverted, out of its scope: docs/a.md\n');
	expect(textOf(session)).toContain('    Blocked, out of its scope: git push\n');
});

test('what was used up says whether its cost is known', () => {
	expect(spentText({tokens: 1300, cost: {}})).toBe('1.3k tokens, cost not reported');
	expect(spentText({tokens: 1300, cost: {USD: 0.02}})).toBe('1.3k tokens, $0.02');
	expect(spentText({tokens: 0, cost: {}})).toBe('');
});
