import {expect, test} from 'vitest';
import {trailOf} from '../../../src/rules/by-hand/trail.ts';
import {working} from '../../helpers/given.ts';

const asks = (question: string): string =>
	`[CLARIFICATION_NEEDED]\nquestions:\n  - question: ${question}\n[/CLARIFICATION_NEEDED]\n`;

test('what led to a snapshot is what its agent had said and been answered by then, and no other', () => {
	const session = working(['AGT-001', 'AGT-002']);
	session.says('AGT-002', asks('Which colour?'));
	session.says('AGT-001', asks('Which limit?'));
	session.ends('AGT-001');
	const question = session
		.state()
		.items.find(item => item.kind === 'question' && item.agent === 'AGT-001');
	session.decide(question?.id ?? '', '10 a minute', 'for now');
	session.work();
	session.says('AGT-001', '[PROGRESS: Limits - writing them down]\n');
	session.finishes('AGT-001');
	const [first, last] = [1, session.agent('AGT-001').snapshots.at(-1)?.number ?? 0];
	expect(last).toBeGreaterThan(first);

	expect(trailOf(session.events(), 'AGT-001', last)).toMatchObject({
		said: {kind: 'completion_report', status: 'success'},
		asked: {item: question?.id, question: 'Which limit?', answer: '10 a minute', note: 'for now'},
	});
	const before = trailOf(session.events(), 'AGT-001', first);
	expect(before).toBeDefined();
	expect(before).not.toHaveProperty('asked');
	expect(trailOf(session.events(), 'AGT-001', 99)).toBeUndefined();
});
