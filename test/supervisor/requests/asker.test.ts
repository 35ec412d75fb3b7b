import {expect, test} from 'vitest';
import {askerOf} from '../../../src/supervisor/requests/require-person.ts';

test.runIf(process.platform === 'linux')(
	'the journal is told which process asks, and where it comes from',
	() => {
		const {pid, ppid} = process;
		expect(askerOf({kind: 'process', pid})).toMatchObject({
			pid,
			way: expect.stringContaining('node'),
			parents: expect.arrayContaining([expect.stringMatching(new RegExp(`^${ppid} .`))]),
		});
	},
);

test('where the system tells nothing of who asks, nor does the journal', () => {
	expect(askerOf({kind: 'unknown'})).toBeUndefined();
});
