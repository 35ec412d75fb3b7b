import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isNone} from '../../src/signals/checkpoint/checkpoint-sections.ts';
import type {Definition} from '../../src/signals/definition.ts';
import {stopWork} from '../../src/signals/definitions/stop-work.ts';
import {isBlank} from '../../src/signals/fields/unreadable.ts';
import {signals} from '../../src/signals/index.ts';
import {fuzz} from './fuzz.ts';
import {parse, parseChunks, parseEveryLine} from './parse.ts';

const definitions: readonly Definition[] = signals;

/** Pieces of transcripts: everything the parser looks for, and what it must not fall for. */
const piece = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.constantFrom(
			...definitions.flatMap(({examples, nearMiss, template}) => [...examples, nearMiss, template]),
		),
	},
	{
		weight: 3,
		arbitrary: fc.constantFrom(
			...definitions.flatMap(({marker}) => [
				`[${marker}]`,
				`[/${marker}]`,
				`${marker}:`,
				`${marker}: x`,
				marker,
			]),
		),
	},
	{
		weight: 6,
		arbitrary: fc.constantFrom(
			...[
				'\n',
				'\n',
				'\n',
				'\r\n',
				'```',
				'```ts',
				'~~~',
				'````',
				'> ',
				'  ',
				'- ',
				'1. ',
				'**',
				'__',
				'`',
				'# ',
			],
			...[
				'═════',
				'=====',
				'-----',
				'---',
				'|',
				'| a | b |',
				'|---|---|',
				'{',
				'}',
				'"',
				'[',
				']',
				': ',
				'#',
				'&a ',
				'*a',
			],
			...[
				'\x1b[1m',
				'\x1b[0m',
				'\x1b]8;;x\x07',
				'\x1b]',
				'\x1b',
				'\u009b',
				'\ufeff',
				'‹',
				'›',
				'…',
				'é',
				'😀',
			],
			...[
				'details: ',
				'questions:',
				'status: success',
				'## Request',
				'CONTINUE',
				'Status: BLOCKED',
				'Q1: a: b',
				'|\n',
				'✅ ',
				'<thinking>',
				'</thinking>',
				'\\[',
			],
		),
	},
	{weight: 1, arbitrary: fc.string({unit: 'binary', maxLength: 20})},
);

const transcript = fc.array(piece, {maxLength: 40}).map(pieces => pieces.join(''));

describe('whatever is said', () => {
	test('any chunking of it says the same', () => {
		const cuts = fc.array(fc.nat({max: 60}), {minLength: 1, maxLength: 8});
		fuzz(
			'chunking',
			fc.property(transcript, cuts, (text, lengths) => {
				const bytes = new TextEncoder().encode(text);
				expect(parseChunks(chunksOf(bytes, lengths))).toEqual(parse(bytes));
			}),
		);
	});

	test('nothing makes the parser throw, and every signal can be written as JSON', () => {
		fuzz(
			'anything',
			fc.property(fc.oneof(transcript, fc.string({unit: 'binary'}), fc.uint8Array()), said => {
				const heard = parse(said);
				expect(JSON.parse(JSON.stringify(heard))).toEqual(heard);
			}),
		);
	});

	test('signals come in the order of their lines, each with a line of the text', () => {
		fuzz(
			'order',
			fc.property(transcript, text => {
				const lines = parse(text).map(({line}) => line);
				expect(lines).toEqual(lines.toSorted((a, b) => a - b));
				expect(Math.max(0, ...lines)).toBeLessThanOrEqual(text.split('\n').length);
			}),
		);
	});

	test('to pass over lines that are plainly words makes no difference', () => {
		const line = fc.array(fc.oneof(piece, fc.string({unit: 'binary', maxLength: 3})), {
			maxLength: 4,
		});
		const text = fc.array(
			fc.oneof(
				transcript,
				line.map(pieces => pieces.join('')),
			),
			{maxLength: 8},
		);
		fuzz(
			'passing over',
			fc.property(
				text.map(lines => lines.join('\n')),
				fc.uint8Array({maxLength: 6}),
				(said, odd) => {
					const bytes = Uint8Array.from([...odd, ...new TextEncoder().encode(said)]);
					expect(parse(bytes)).toEqual(parseEveryLine(bytes));
				},
			),
		);
	});

	test('a line of plain words, or a blank one, before it changes nothing but line numbers', () => {
		fuzz(
			'plain words',
			fc.property(transcript, fc.constantFrom('some words', '✓ 12 ms', ' \t'), (text, plain) => {
				const heard = parse(`${plain}\n${text}`);
				expect(heard).toEqual(parse(text).map(said => ({...said, line: said.line + 1})));
			}),
		);
	});
});

describe('what is printed and read again is the same', () => {
	test.each(definitions)('$marker', definition => {
		const arbitrary = SAID[definition.marker];
		expect(arbitrary).toBeDefined();
		fuzz(
			`print ${definition.marker}`,
			fc.property(arbitrary ?? fc.constant({}), fields => {
				const said = {kind: definition.kind, line: 1, ...fields};
				const [heard, ...others] = parse(definition.print(said));
				expect(others).toEqual([]);
				expect({...heard, line: 1}).toEqual(said);
			}),
			1 / 20,
		);
	});
});

test('what a transcript may lose is escaped in print', () => {
	const details = 'a\u0085b\u009bc\u2028d\ufeffe\x1b[1mf\r\ng\n[/STOP_WORK]';
	const said = {kind: 'stop_work', line: 1, details} as const;
	expect(parse(stopWork.print(said))).toEqual([said]);
});

/** Cuts the bytes into chunks of these lengths, over and over. */
function* chunksOf(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
	for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
		const length = 1 + (lengths[turn % lengths.length] ?? 0);
		yield bytes.subarray(at, at + length);
		at += length;
	}
}

const anyText = fc.string({unit: 'binary', minLength: 1}).filter(text => !isBlank(text));
const texts = fc.array(anyText);
const word = fc.stringMatching(/^[a-z][a-zA-Z0-9 ,.:/|()'"]{0,30}[a-z0-9]$/);
const words = fc.array(fc.stringMatching(/^[a-z][a-zA-Z0-9 .:/|]{0,20}[a-z0-9]$/), {maxLength: 3});
/** What a checkpoint says, unless it says that there is nothing. */
const something = word.filter(text => !isNone(text));
const json = fc
	.jsonValue({maxDepth: 3})
	.map(value => JSON.parse(JSON.stringify(value).replaceAll('"__proto__":', '"proto":')))
	.filter(value => value !== null && value !== '');
const head = {agent: anyText, timestamp: anyText};

const said = (
	required: Record<string, fc.Arbitrary<unknown>>,
	optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Record<string, unknown>> =>
	fc.record(
		{...required, ...optional},
		{requiredKeys: Object.keys(required), noNullPrototype: true},
	);

const question = said(
	{
		question: anyText,
		options: texts.map(each => each.filter(text => !text.includes('|'))),
		required: fc.boolean(),
	},
	{
		id: anyText,
		type: fc.constantFrom('choice', 'yes-no', 'text', 'path', 'number', 'regex'),
		pattern: anyText,
		multi: fc.boolean(),
		context: anyText,
		default_wait: fc.oneof(fc.nat(), fc.stringMatching(/^\d{1,3}[smh]$/)),
		urgent: fc.boolean(),
	},
);

const value = said({value: word});

const SAID: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
	CLARIFICATION_NEEDED: said(
		{questions: fc.array(question, {minLength: 1, maxLength: 4}), all_required: fc.boolean()},
		{...head, blocked_at: anyText, current_state: anyText},
	),
	STOP_WORK: said(
		{details: anyText},
		{
			...head,
			blocker_type: anyText,
			stop_reason: anyText,
			blocked_work: anyText,
			resume_requirements: anyText,
			state_snapshot: json,
		},
	),
	DELEGATE_WORK: said(
		{new_task_description: fc.oneof(anyText, fc.array(anyText, {minLength: 1}))},
		{
			...head,
			independence: fc.constantFrom('can_proceed_parallel', 'blocks_current_work'),
			coordination: anyText,
		},
	),
	FINDING: said({finding: anyText, files: texts}, {...head, topic: anyText}),
	SCOPE_REQUEST: said({paths: fc.array(anyText, {minLength: 1})}, {...head, reason: anyText}),
	COMPLETION_REPORT: said(
		{
			status: fc.constantFrom('success', 'partial', 'failed'),
			deliverables: texts,
			recommendations: texts,
		},
		{...head, metrics_achieved: json},
	),
	'AGENT CHECKPOINT': said(
		{
			changes: fc.array(
				said({
					file: something.map(text => text.replaceAll(/[`|]/g, '')),
					action: word,
					description: word,
				}),
				{maxLength: 3},
			),
			blockers: fc.oneof(fc.constant(null), something),
			questions: words,
		},
		{
			agent: fc.stringMatching(/^AGT-\d{3}$/),
			status: fc.constantFrom('COMPLETE', 'BLOCKED', 'IN_PROGRESS'),
			progress: fc.integer({min: 0, max: 100}),
			tests: said(
				{executed: fc.boolean(), failed: words},
				{result: fc.constantFrom('PASS', 'FAIL', 'SKIPPED')},
			),
			request: fc.constantFrom('CONTINUE', 'MERGE', 'HELP', 'ABORT'),
		},
	),
	WORKFLOW_COMPLETE: said({}),
	QUESTION_ESCALATED: said({
		value: fc.stringMatching(/^\w{1,20}$/).filter(id => !/^_|_$/.test(id)),
	}),
	PROGRESS: said({
		phase: fc.stringMatching(/^[A-Z][a-z ]{0,9}[a-z]$/),
		status: fc.stringMatching(/^[A-Z][a-z -]{0,20}[a-z]$/),
	}),
	CHECKPOINT: said(
		{phase: fc.stringMatching(/^[A-Z][a-z ]{0,9}[a-z]$/)},
		{artifacts: fc.nat(), status: word},
	),
	CREATED: value,
	TITLE: value,
	SUMMARY: value,
	STATUS: value,
	COUNT: said({value: fc.nat()}),
	ERROR: said(
		{
			category: fc.oneof(fc.constant(null), fc.constantFrom('TIMEOUT', 'FILE_NOT_FOUND', 'OWN_2')),
			description: word,
		},
		{context: word, recovery: word},
	),
	RESULT: said({status: anyText}, {artifacts: json, metrics: json}).filter(
		each => 'artifacts' in each || 'metrics' in each,
	),
	'RESULT TABLE': fc
		.array(said({topic: word, status: word, path: word, summary: word}), {
			minLength: 1,
			maxLength: 4,
		})
		.map(rows => ({rows})),
};
