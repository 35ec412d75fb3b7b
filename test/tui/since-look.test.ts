import {expect, test} from 'vitest';
import type {BodyOf} from '../../src/events/event.ts';
import {working} from '../helpers/given.ts';
import {aDiff, openScreen, resourcesOf} from './a-screen.ts';

const snapshot = (number: number): BodyOf<'snapshot.taken'> => ({
	...{kind: 'snapshot.taken', agent: 'AGT-001', number, reason: `change:${number}`},
	...{commit: `commit-${number}`, tree: `tree-${number}`, work: `work-${number}`},
	...{files: 1, outside: [], claims: []},
});

test('S at the work of an agent shows what is new since it was looked at, and remembers how far that went', () => {
	const session = working(['AGT-001']);
	session.tell(snapshot(1));
	const screen = openScreen({state: session.state()});
	screen.press('o', 'd');
	screen.learn({resources: resourcesOf(screen.context(), aDiff)});
	screen.press('S');
	expect(screen.context().view.part).toBe('all');
	expect(screen.context().view.lookedAt).toEqual({'AGT-001': {now: 1}});

	session.tell(snapshot(2));
	screen.learn({state: session.state()});
	screen.press('S');
	const wanted = Object.keys(resourcesOf(screen.context(), aDiff));
	expect(wanted).toContain('since:AGT-001:1@work-2');
	screen.learn({resources: resourcesOf(screen.context(), aDiff)});
	screen.press('j');
	expect(screen.context().view.lookedAt).toEqual({'AGT-001': {now: 2, before: 1}});
	expect(Object.keys(resourcesOf(screen.context(), aDiff))).toContain('since:AGT-001:1@work-2');
});
