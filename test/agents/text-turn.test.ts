import {readFileSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import type {AgentTurn} from '../../src/agents/turn.ts';
import type {Silence} from '../../src/events/event.ts';
import type {Signal} from '../../src/signals/index.ts';
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

test('an agent that prints words is not said to wait for its model, since all of them may come at the end', async () => {
	const told: string[] = [];
	const {turn} = await startPrinting(['sh', '-c', 'sleep 0.2; echo done'], {
		firstMs: 1,
		onQuiet: () => told.push('quiet'),
		onSilence: () => told.push('silence'),
	});
	await turn.ended;
	expect(told).toEqual([]);
});

test('a file that a person names in a prompt is put into it by no agent that reads words, either', async () => {
	const {turn, transcript} = await startPrinting(['cat'], {
		prompt: 'go\n@docs/a.md\n',
		quirks: {expandsMentions: true},
	});
	await turn.ended;
	expect(readFileSync(transcript, 'utf8')).toBe('go\n`@docs/a.md`\n');
});

const question = '[STOP_WORK]\ndetails: no disk\n[/STOP_WORK]\n';

test.each([
	['a reply', (turn: AgentTurn) => turn.reply([])],
	['the result of a tool', (turn: AgentTurn) => turn.told()],
])('what an agent says first after %s is no part of its prompt for it', async (_, tell) => {
	const asked = Promise.withResolvers<void>();
	const signals: Signal[] = [];
	const script = `printf 'STATUS: asks\nCOUNT: 1\nYour answer: '; until [ -e told ]; do sleep 0.02; done; printf '${question}'`;
	const {turn, folder, transcript} = await startPrinting(['sh', '-c', script], {
		keepInput: true,
		onSignal: signal => {
			signals.push(signal);
			asked.resolve();
		},
	});
	await asked.promise;
	tell(turn);
	writeFileSync(`${folder}/told`, '');
	await turn.ended;
	expect(signals.at(-1)).toMatchObject({kind: 'stop_work', line: 4});
	expect(readFileSync(transcript, 'utf8')).toBe(
		`STATUS: asks\nCOUNT: 1\nYour answer: \n${question}`,
	);
});

test('a line that an agent ended by itself is followed by no empty one', async () => {
	const begun = Promise.withResolvers<void>();
	const {turn, folder, transcript} = await startPrinting(
		[
			'sh',
			'-c',
			'printf "STATUS: asks\nCOUNT: 1\n"; until [ -e told ]; do sleep 0.02; done; echo on',
		],
		{keepInput: true, onSignal: () => begun.resolve()},
	);
	await begun.promise;
	turn.reply([]);
	writeFileSync(`${folder}/told`, '');
	await turn.ended;
	expect(readFileSync(transcript, 'utf8')).toBe('STATUS: asks\nCOUNT: 1\non\n');
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
