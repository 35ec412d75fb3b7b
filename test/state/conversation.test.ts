import {expect, test} from 'vitest';
import {working} from '../helpers/given.ts';

test('a conversation is known with the time since when it is open', () => {
	const session = working(['AGT-001']);
	const opened = {kind: 'conversation.opened', agent: 'AGT-001', turn: 1} as const;
	session.tell({...opened, conversation: 'first'});
	const since = session.state().at;
	expect(session.agent('AGT-001')).toMatchObject({conversation: 'first', conversationSince: since});
	session.says('AGT-001', 'SUMMARY: later\n');
	expect(session.agent('AGT-001').conversationSince).toBe(since);
});
