import {describe, expect, test} from 'vitest';
import {defineBlock} from '../../src/signals/block.ts';
import type {Definition} from '../../src/signals/definition.ts';
import {optional, required} from '../../src/signals/fields.ts';
import {signals} from '../../src/signals/index.ts';
import {text} from '../../src/signals/kinds.ts';
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

test('a new signal is one definition and its place in the list', () => {
	const handover = defineBlock({
		kind: 'handover',
		marker: 'HANDOVER',
		help: 'Give your work to the next agent.',
		fields: {to: required(text, 'who goes on'), note: optional(text, 'what to know')},
		examples: ['[HANDOVER]\nto: AGT-002\n[/HANDOVER]\n'],
		nearMiss: '[HANDOVER]\nnote: to nobody\n[/HANDOVER]\n',
	});
	const heard = parseWith(
		[...signals, handover],
		`[HANDOVER]\nto: AGT-002\n[/HANDOVER]\nSTATUS: done\n`,
	);
	expect(heard).toEqual([
		{kind: 'handover', line: 1, to: 'AGT-002'},
		{kind: 'status', line: 4, value: 'done'},
	]);
	expect(parseWith([handover], handover.nearMiss)).toMatchObject([
		{kind: 'malformed', signal: 'handover', reason: 'The field to is missing.'},
	]);
	expect(parse('[HANDOVER]\nto: AGT-002\n[/HANDOVER]\n')).toEqual([]);
});
