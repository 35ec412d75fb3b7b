import {expect, test} from 'vitest';
import {orWhyNot} from '../../src/cli/show-session.ts';
import {Failure} from '../../src/lib/failure.ts';

test('what keeps a form from being shown is told on the screen that it was opened from', async () => {
	const failure = new Failure('refused', 'The plan can’t be shown.', {hint: 'use the file'});
	expect(await orWhyNot(Promise.reject(failure))).toEqual({
		isChanged: false,
		tone: 'bad',
		text: 'The plan can’t be shown. (use the file)',
	});
	expect(await orWhyNot(Promise.reject(new Error('It broke.')))).toMatchObject({
		isChanged: false,
		text: 'It broke.',
	});
});
