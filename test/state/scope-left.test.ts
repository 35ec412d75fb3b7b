import {expect, it} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {working} from '../helpers/given.ts';

const left = (path: string, change: 'modified' | 'refused'): Body => ({
	kind: 'scope.left',
	agent: 'AGT-001',
	path,
	change,
	why: 'not allowed',
	patch: '',
});

it('tells what was put back apart from what was refused, for the whole life of the agent', () => {
	const session = working(['AGT-001']);
	const strayed = [
		{path: 'a.txt', refused: true},
		{path: 'git push', refused: true},
		{path: 'a.txt', refused: false},
	];
	session.tell(left('a.txt', 'refused'), left('git push', 'refused'), left('a.txt', 'modified'));
	expect(session.agent('AGT-001')).toMatchObject({
		left: strayed,
		strays: {putBack: 1, refused: 2},
	});
	session.ends('AGT-001');
	session.work();
	session.tell(left('a.txt', 'modified'));
	expect(session.agent('AGT-001')).toMatchObject({
		left: strayed,
		strays: {putBack: 2, refused: 2},
	});
});
