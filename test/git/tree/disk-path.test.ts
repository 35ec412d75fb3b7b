import {expect, test} from 'vitest';
import {isRefusal} from '../../../src/git/tree/disk-path.ts';

test.each([
	[{code: 'EACCES'}, true],
	[{code: 'EPERM'}, true],
	[{code: 'ENOENT'}, false],
	[{}, false],
])('an error %j says that we may not look: %s', (error, expected) => {
	expect(isRefusal(Object.assign(new Error('x'), error))).toBe(expected);
});
