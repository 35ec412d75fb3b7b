import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {startTextTurn} from '../../src/agents/text-turn.ts';
import type {Silence} from '../../src/events/event.ts';
import {groupsContainment} from '../../src/lib/process/containment.ts';
import {temporaryFolder} from '../helpers/repository.ts';

test('an agent that prints nothing any more is told of, and again once it prints', async () => {
	const folder = temporaryFolder();
	const silent = Promise.withResolvers<Silence>();
	const heard = Promise.withResolvers<void>();
	const turn = await startTextTurn({
		command: ['sh', '-c', 'echo begun; read line; read line; read line; echo on'],
		directory: folder,
		environment: {PATH: process.env.PATH ?? '', TEST_TEXT: folder},
		mark: `TEST_TEXT=${folder}`,
		containment: groupsContainment('for a test'),
		prompt: 'go\n',
		keepInput: true,
		transcript: `${folder}/transcript.txt`,
		expect: [],
		quietMs: 20,
		onSignal: () => {},
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
		const folder = temporaryFolder();
		const read = keepInput
			? `while IFS= read -r line; do echo "$line" >> read; [ "$line" = '[/PROMPT]' ] && break; done`
			: 'cat > read';
		const turn = await startTextTurn({
			command: ['sh', '-c', read],
			directory: folder,
			environment: {PATH: process.env.PATH ?? '', TEST_TEXT: folder},
			mark: `TEST_TEXT=${folder}`,
			containment: groupsContainment('for a test'),
			...{prompt, keepInput, expect: []},
			transcript: `${folder}/transcript.txt`,
			onSignal: () => {},
		});
		expect(await turn.ended).toMatchObject({end: {by: 'exit', code: 0}});
		expect(readFileSync(`${folder}/read`, 'utf8')).toBe(expected);
	},
);
