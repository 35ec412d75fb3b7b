import {expect, test} from 'vitest';
import {type Asked, requestWithin} from '../../src/client/supervisor/request-within.ts';
import {requestSchema} from '../../src/supervisor/requests/request.ts';
import {startClient, startServer, temporaryPath} from '../control/helpers.ts';

/** Whatever a supervisor understands can be asked of it. */
requestSchema.options.map(({shape}) => shape.do.value) satisfies readonly Asked['do'][];

const never = Promise.withResolvers<never>().promise;

test('an answer that comes in time is given', async () => {
	const path = temporaryPath();
	await startServer(path);
	const client = await startClient(path);
	expect(await requestWithin(client, {do: 'stop'})).toEqual({do: 'stop'});
});

test('a supervisor that does not answer is told with what it was asked', async () => {
	const path = temporaryPath();
	await startServer(path, {askWho: true, handle: () => never});
	const client = await startClient(path);
	const asked = requestWithin(client, {do: 'decide', item: 'a-1', choice: 'approve'}, 20);
	await expect(asked).rejects.toMatchObject({
		kind: 'missing',
		message: expect.stringMatching(
			/^The supervisor.* was asked to decide a-1: approve and has not answered within /,
		),
		hint: expect.stringContaining('delegate-tui log'),
	});
	const what = {of: 'side', item: 'c-1', side: 'a'} as const;
	await expect(requestWithin(client, {do: 'show', what}, 20)).rejects.toThrow(
		'was asked to show side:c-1:a and has not',
	);
});
