import {Client, InMemoryTransport} from '@modelcontextprotocol/client';
import {describe, expect, test} from 'vitest';
import {signalsText} from '../../src/cli/topics/signals.ts';
import {defineBlock} from '../../src/signals/block.ts';
import {readCall} from '../../src/signals/call.ts';
import {type Definition, noLine} from '../../src/signals/definition.ts';
import {optional, required} from '../../src/signals/fields/fields.ts';
import {text} from '../../src/signals/fields/kinds.ts';
import {signals} from '../../src/signals/index.ts';
import {
	instructions,
	signalsTable,
	toolInstructions,
	toolReminder,
} from '../../src/signals/instructions.ts';
import {createToolServer} from '../../src/tools/server.ts';
import {parse, parseWith} from './parse.ts';

const definitions: readonly Definition[] = signals;

describe.each(definitions)('$marker', definition => {
	test.each(definition.examples)('its example says it and nothing else: %s', example => {
		const said = parse(example);
		expect(said.map(({kind}) => kind)).toEqual([definition.kind]);
	});

	test.each(definition.examples)(
		'what its example says is printed so that it says it again: %s',
		example => {
			const [said] = parse(example);
			const again = parse(definition.print(said ?? {kind: 'nothing', line: 0}));
			expect(again).toEqual([{...said, line: again[0]?.line}]);
		},
	);

	test('its near miss does not say it', () => {
		const said = parse(definition.nearMiss);
		expect(said.filter(({kind}) => kind !== 'malformed')).toEqual([]);
	});

	test('its template says nothing, in a fence, in a quote or by itself', () => {
		const quoted = definition.template.replaceAll(/^/gm, '> ');
		expect(parse(definition.template)).toEqual([]);
		expect(parse(`\`\`\`\n${definition.template}\`\`\`\n`)).toEqual([]);
		expect(parse(quoted)).toEqual([]);
	});

	test('it has two examples or more, a line of help, and a meaning for each field', () => {
		expect(definition.examples.length).toBeGreaterThanOrEqual(2);
		expect(definition.help).toMatch(/^[A-Z][^\n]+\.$/);
		for (const field of definition.fields) {
			expect(field.name).toMatch(/^[a-z_]+$/);
			expect(field.meaning).not.toBe('');
			expect(field.type).not.toBe('');
		}
	});
});

test('no two signals share a marker', () => {
	const markers = definitions.map(({marker}) => marker);
	expect(new Set(markers).size).toBe(markers.length);
});

test('every kind of the contract is said by a definition', () => {
	const kinds = new Set(definitions.map(({kind}) => kind));
	expect([...kinds].sort()).toEqual([
		'checkpoint',
		'clarification_needed',
		'completion_report',
		'count',
		'created',
		'delegate_work',
		'error',
		'finding',
		'phase_checkpoint',
		'progress',
		'question_escalated',
		'result',
		'scope_request',
		'status',
		'stop_work',
		'summary',
		'title',
		'workflow_complete',
	]);
});

describe('a new signal is one definition and its place in the list', () => {
	const handover = defineBlock({
		kind: 'handover',
		marker: 'HANDOVER',
		meaning: {kind: 'informs'},
		help: 'Give your work to the next agent.',
		fields: {to: required(text, 'who goes on'), note: optional(text, 'what to know')},
		examples: ['[HANDOVER]\nto: AGT-002\n[/HANDOVER]\n', '[HANDOVER]\nto: you\n[/HANDOVER]\n'],
		nearMiss: '[HANDOVER]\nnote: to nobody\n[/HANDOVER]\n',
		told: ({to}) => `hands its work to ${to}`,
		tool: {name: 'hand_over'},
	});
	const withNew = [...signals, handover];

	test('it is heard beside the others', () => {
		const said = '[HANDOVER]\nto: AGT-002\n[/HANDOVER]\nSTATUS: done\n';
		expect(parseWith(withNew, said)).toEqual([
			{kind: 'handover', line: 1, to: 'AGT-002'},
			{kind: 'status', line: 4, value: 'done'},
		]);
		expect(parseWith(withNew, handover.nearMiss)).toMatchObject([
			{kind: 'malformed', signal: 'handover', reason: 'The field to is missing.'},
		]);
		expect(parse(said)).toMatchObject([{kind: 'status'}]);
	});

	test('agents are told of it in their launch prompt, which says nothing when it is echoed', () => {
		const told = instructions([], withNew);
		expect(told).toContain('## Signal HANDOVER\n\nGive your work to the next agent.\n');
		expect(told).toContain('- to (text, required): who goes on\n');
		expect(parseWith(withNew, told)).toEqual([]);
		expect(toolInstructions(withNew)).toContain(', hand_over.');
		expect(toolInstructions()).not.toContain('hand_over');
	});

	test('people read of it in the help and in the README', () => {
		expect(signalsText(withNew)).toMatch(/^HANDOVER \(tool: hand_over\)\n {2}Give your work/m);
		expect(signalsTable(withNew)).toMatch(
			/^\| `\[HANDOVER\]` \| Give your work to the next agent\. \| .*\*\*to\*\*, note \|$/m,
		);
	});

	test('it is a tool, which takes its fields and judges them as the text is judged', async () => {
		const [here, there] = InMemoryTransport.createLinkedPair();
		const client = new Client({name: 'a-test', version: '1'});
		const access = {socket: '/nowhere', token: ''};
		await createToolServer(access, '1', withNew).connect(there);
		await client.connect(here);
		const {tools} = await client.listTools();
		expect(client.getInstructions()).toBe(toolReminder(withNew));
		await client.close();
		expect(tools.find(({name}) => name === 'hand_over')).toMatchObject({
			description: 'Give your work to the next agent.',
			inputSchema: {properties: {to: {type: 'string'}, note: {}}, required: ['to']},
		});
		expect(tools.map(({_meta}) => _meta)).toEqual(
			tools.map(() => ({'anthropic/alwaysLoad': true})),
		);
		expect(readCall('hand_over', {to: 'AGT-002'}, withNew)).toEqual({
			kind: 'handover',
			line: noLine,
			to: 'AGT-002',
		});
		expect(readCall('hand_over', {}, withNew)).toMatchObject({
			kind: 'malformed',
			reason: 'The field to is missing.',
		});
	});
});
