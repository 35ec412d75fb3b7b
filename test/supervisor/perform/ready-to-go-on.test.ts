import {describe, expect, it} from 'vitest';
import type {AgentVendor} from '../../../src/events/plan.ts';
import {readyToGoOn} from '../../../src/supervisor/perform/start/start-acp.ts';
import {subtask} from '../../helpers/plan.ts';

/** Goes on with a conversation in which a turn began ten seconds ago, and gives up at once if that must be waited for. */
const goOn = (vendor: AgentVendor) => {
	const agent = {protocol: 'acp', command: [vendor], vendor} as const;
	const waiting = new AbortController();
	const ready = readyToGoOn(
		{subtask: subtask('AGT-001', {agent}), conversationSince: '2026-01-01T10:00:30.000Z'},
		{now: '2026-01-01T10:00:40.000Z', environment: {}, signal: waiting.signal},
	).then(
		() => 'went on',
		() => 'waited',
	);
	setImmediate(() => waiting.abort());
	return ready;
};

describe('a conversation', () => {
	it('of Gemini CLI is taken up only when the clock minute in which it was last is over', async () => {
		expect(await goOn('gemini')).toBe('waited');
	});

	it.each(['claude', 'codex', 'opencode'] as const)('of %s is taken up at once', async vendor => {
		expect(await goOn(vendor)).toBe('went on');
	});
});
