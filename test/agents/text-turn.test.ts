import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import type {Silence} from '../../src/events/event.ts';
import {startPrinting} from './start-printing.ts';

test('an agent that prints nothing any more is told of, and again once it prints', async () => {
	const silent = Promise.withResolvers<Silence>();
	const heard = Promise.withResolvers<void>();
	const script = 'echo begun; read line; read line; read line; echo on';
	const {turn} = await startPrinting(['sh', '-c', script], {
		keepInput: true,
		quietMs: 20,
		onSilence: silence => (silence === undefined ? heard.resolve() : silent.resolve(silence)),
	});
	expect(await silent.promise).toEqual({since: expect.any(String)});
	turn.reply([]);
	await heard.promise;
	expect(await turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
});

test.each([
	['go', true, 'go\n[/PROMPT]\n'],
	['go\n', true, 'go\n[/PROMPT]\n'],
	['go\n[/PROMPT]\nnow\n', true, 'go\n [/PROMPT]\nnow\n[/PROMPT]\n'],
	['go\n', false, 'go\n'],
])(
	'an agent reads where its prompt %j ends: input stays open %s',
	async (prompt, keepInput, expected) => {
		const read = keepInput
			? `while IFS= read -r line; do echo "$line" >> read; [ "$line" = '[/PROMPT]' ] && break; done`
			: 'cat > read';
		const {turn, folder} = await startPrinting(['sh', '-c', read], {prompt, keepInput});
		expect(await turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
		expect(readFileSync(`${folder}/read`, 'utf8')).toBe(expected);
	},
);
