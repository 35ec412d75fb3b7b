import {expect, test} from 'vitest';
import {stateFolder} from '../../src/supervisor/folder.ts';

test('the state is in the folder of XDG_STATE_HOME, unless that is relative, which the specification has ignored', () => {
	expect(stateFolder({XDG_STATE_HOME: '/home/ada/state'})).toBe('/home/ada/state/delegate-tui');
	expect(stateFolder({XDG_STATE_HOME: 'state'})).toBe(stateFolder({}));
});
