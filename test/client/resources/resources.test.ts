import {expect, test} from 'vitest';
import type {Resource} from '../../../src/client/model.ts';
import {createResources, fetchResource, keyText} from '../../../src/client/resources/resources.ts';
import {diffRows} from '../../../src/tui/rows/diff-rows.ts';

const key = {what: {of: 'result'}, state: 'abc'} as const;

const lines = Array.from({length: 2500}, (_, at) => `+line ${at}`);

test('what is fetched page by page tells how far it is, and is asked for once', async () => {
	const seen: (Resource | undefined)[] = [];
	const asked: number[] = [];
	const resources = createResources(
		(what, report) =>
			fetchResource(
				async ({offset, limit}) => {
					asked.push(offset);
					const end = offset + limit;
					return {
						lines: lines.slice(offset, end),
						cut: 0,
						total: lines.length,
						next: end < lines.length ? end : null,
					};
				},
				what,
				report,
			),
		() => seen.push(resources.all()[keyText(key)]),
	);
	resources.want([key, {...key}]);
	await expect.poll(() => seen.at(-1)?.phase).toBe('ready');
	expect(asked).toEqual([0, 1000, 2000]);
	const told = seen.map(one => diffRows(one, {columns: 60}).slice()[0]?.[0]?.text);
	expect(told.slice(0, 3)).toEqual([
		'Fetching the diff …',
		'Fetching the diff … 1000 of 2500 lines',
		'Fetching the diff … 2000 of 2500 lines',
	]);
});
