import {expect, test} from 'vitest';
import {proposedEntry} from '../../../src/supervisor/merging/gather.ts';

const path = 'a.txt';

test('a proposed file keeps the mode that it has on the sides', () => {
	const modes = ['100755', '100755'];
	const taken = proposedEntry({path, modes}, {mode: '100644', oid: '1'});
	expect(taken).toEqual({mode: '100755', oid: '1'});
});

test.each(['120000', '160000'])('a proposed %s is taken only where a side has one', mode => {
	const entry = {mode, oid: '1'};
	expect(proposedEntry({path, modes: ['100644', mode]}, entry)).toEqual(entry);
	expect(() => proposedEntry({path, modes: ['100644']}, entry)).toThrow(
		'which it is on neither side of the conflict',
	);
});
