import {expect, test} from 'vitest';
import {working} from '../helpers/given.ts';
import {openAt} from './a-screen.ts';

const report = (recommendations: string): string =>
	`[COMPLETION_REPORT]\nstatus: success\nrecommendations: ${recommendations}\n[/COMPLETION_REPORT]\n`;

test.each([
	['[Add a dashboard, Fix the clock]', 'Add a dashboard\nFix the clock'],
	['[]', undefined],
])('what an agent recommends, %s, is one key from being a subtask', (words, expected) => {
	const session = working(['AGT-001']);
	session.says('AGT-001', report(words));
	session.ends('AGT-001');
	const screen = openAt('review', {state: session.state()});
	screen.press('+');
	const compose = {what: 'subtask', words: expected};
	expect(screen.asked()).toEqual(expected === undefined ? [] : [{do: 'compose', compose}]);
});
