import {expect, test} from 'vitest';
import {visitText} from '../../src/cli/agent/visit.ts';
import {working} from '../helpers/given.ts';

const agent = working(['AGT-001']).agent('AGT-001');

test('whoever leaves the worktree of an agent is told what of their work it goes on with', () => {
	expect(visitText(agent, {changed: [], reverted: []})).toBe('You changed nothing; it goes on.');
	expect(visitText(agent, {changed: ['src/a.ts'], reverted: []})).toBe(
		'You changed 1 file, and AGT-001 is told; it goes on.',
	);
});

test('what they did outside its scope is no nothing: it is named, with the way back', () => {
	const reverted = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
	expect(visitText(agent, {changed: [], reverted})).toBe(
		'You changed nothing in its scope; it goes on. Reverted, since outside its scope: a, b, c, d, e and 2 more. To restore some of them: delegate-tui agent AGT-001 grant PATH…; to see all: delegate-tui diff AGT-001 --reverted',
	);
	expect(visitText(agent, {changed: ['src/a.ts'], reverted: ['lib/b.ts']})).toMatch(
		/^You changed 1 file, .* Reverted, since outside its scope: lib\/b\.ts\./,
	);
});
