import {expect, test} from 'vitest';
import {requireEvent} from '../../../src/supervisor/past/read-session.ts';

test('an event is taken for what it is, and one of an unknown kind for the work of a newer version', () => {
	const known = {seq: 1, at: '2026-01-01T00:00:00.000Z', kind: 'deadline.passed', deadline: 'x'};
	expect(requireEvent(known)).toBe(known);
	expect(() => requireEvent({seq: 2, kind: 'agent.cloned'})).toThrow(
		'Event 2 of the journal is of an unknown kind: agent.cloned.',
	);
});
