import {expect, it} from 'vitest';
import {saying, stopWork} from '../helpers/given.ts';

it('a command for a blocked agent is run once its turn is over, which it ends', () => {
	const session = saying(stopWork);
	session.work();
	session.decide('b-1', 'run', 'npm ci');
	expect(session.keys()).toContain('end-turn:AGT-001:1');
	expect(session.keys().filter(key => key.startsWith('run-command'))).toEqual([]);
	session.ends('AGT-001');
	expect(session.keys().filter(key => key.startsWith('run-command'))).toHaveLength(1);
});
