import {expect, test} from 'vitest';
import {ask, working} from '../helpers/given.ts';

test('a conversation is known with the time when a turn last began in it', () => {
	const session = working(['AGT-001']);
	const opened = {kind: 'conversation.opened', agent: 'AGT-001', turn: 1} as const;
	session.tell({...opened, conversation: 'first'});
	const since = session.state().at;
	expect(session.agent('AGT-001')).toMatchObject({conversation: 'first', conversationSince: since});
	session.says('AGT-001', 'SUMMARY: later\n');
	expect(session.agent('AGT-001').conversationSince).toBe(since);
	session.says('AGT-001', ask);
	session.ends('AGT-001');
	session.decide(session.item('question').id, 'this');
	session.work();
	const started = session.events().findLast(({kind}) => kind === 'turn.started');
	expect(session.agent('AGT-001').conversationSince).toBe(started?.at);
});
