import {expect, test} from 'vitest';
import {completed} from '../helpers/given.ts';
import {scopeLeft} from '../helpers/happened.ts';
import {aDiff, openAt, resourcesOf} from './a-screen.ts';

test('R at a review shows what was reverted, and + there grants it after a yes', () => {
	const session = completed(['AGT-001']);
	const screen = openAt('review', {state: session.state()});
	screen.press('R');
	expect(screen.context().view.part).toBe('all');

	session.tell(scopeLeft('lib/x.ts'));
	screen.learn({state: session.state()});
	screen.press('+');
	expect(screen.frame()).not.toContain('after all?');
	screen.press('R');
	screen.learn({resources: resourcesOf(screen.context(), aDiff)});
	screen.press('end');
	expect(screen.frame()).toContain('const burst = 20;');
	screen.press('+');
	expect(screen.frame()).toContain(
		'Let AGT-001 write lib/x.ts after all? Its changes there are restored.',
	);
	screen.press('y');
	expect(screen.asked()).toEqual([
		{do: 'steer', agent: 'AGT-001', order: {verb: 'grant', paths: ['lib/x.ts']}},
	]);
});
