import {expect, test} from 'vitest';
import type {NotifySettings} from '../../../src/events/settings.ts';
import type {DesktopNotification} from '../../../src/lib/process/desktop-notifier.ts';
import {createDesktopNotifier} from '../../../src/supervisor/session.ts';
import {type Given, planned} from '../../helpers/given.ts';

/** A session, and what its person is shown on their desktop. */
const desktopOf = (session: Given) => {
	const shown: DesktopNotification[] = [];
	const troubles: unknown[] = [];
	const calls = createDesktopNotifier({
		state: session.state(),
		onTrouble: error => troubles.push(error),
		show: async notification => {
			shown.push(notification);
			if (notification.text.includes('fail')) {
				throw new Error('no desktop');
			}
		},
		gatherMs: 0,
	});
	return {shown, troubles, calls};
};

const workingWith = (notify: NotifySettings | undefined): Given => {
	const session = planned(['AGT-001'], {settings: notify === undefined ? {} : {notify}});
	session.decide('p-1', 'approve');
	session.work();
	return session;
};

test('what comes together is shown once, and what was there before not at all', async () => {
	const session = workingWith({desktop: true});
	const {shown, calls} = desktopOf(session);
	session.says('AGT-001', '[CLARIFICATION_NEEDED]\nquestions: [A?, B?]\n[/CLARIFICATION_NEEDED]\n');
	calls.hear(session.state());
	calls.hear(session.state());
	await calls.close();
	expect(shown.map(({title}) => title)).toEqual(['delegate-tui: 2 things need you']);
});

test.each([
	['nobody said how', undefined],
	['it is turned off', {desktop: false}],
	['it is of another kind', {desktop: true, kinds: ['approval']}],
])('nobody is called where %s', async (_, notify) => {
	const session = workingWith(notify);
	const {shown, calls} = desktopOf(session);
	session.says('AGT-001', '[CLARIFICATION_NEEDED]\nquestions: [A?]\n[/CLARIFICATION_NEEDED]\n');
	calls.hear(session.state());
	await calls.close();
	expect(shown).toEqual([]);
});

test('a desktop that fails is told of, and tried again for the next call', async () => {
	const session = workingWith({desktop: true});
	const {shown, troubles, calls} = desktopOf(session);
	session.says(
		'AGT-001',
		'[CLARIFICATION_NEEDED]\nquestions: [Shall it fail?]\n[/CLARIFICATION_NEEDED]\n',
	);
	calls.hear(session.state());
	await expect.poll(() => troubles).toEqual([new Error('no desktop')]);
	session.says('AGT-001', '[CLARIFICATION_NEEDED]\nquestions: [B?]\n[/CLARIFICATION_NEEDED]\n');
	calls.hear(session.state());
	await calls.close();
	expect(shown).toHaveLength(2);
});
