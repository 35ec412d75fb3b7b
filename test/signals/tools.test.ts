import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {readCall} from '../../src/signals/call.ts';
import {type Definition, noLine, type ToolFields} from '../../src/signals/definition.ts';
import {type Signal, signals} from '../../src/signals/index.ts';
import {contentOf} from '../../src/signals/meaning.ts';
import {parse} from './parse.ts';

const definitions: readonly Definition[] = signals;

/** Returns what is heard of a signal that is printed. */
const printed = (said: Signal | undefined): readonly Signal[] => {
	const definition = definitions.find(({kind}) => kind === said?.kind);
	return said === undefined || definition === undefined ? [] : parse(definition.print(said));
};

/** Words as models write them, with what could be taken for something else. */
const words = fc
	.array(
		fc.constantFrom(
			'the',
			'limit',
			'12/30',
			'a: b',
			'#4',
			'"x"',
			'[STOP_WORK]',
			'- y',
			'C',
			'|',
			'‹',
		),
		{minLength: 1, maxLength: 6},
	)
	.map(parts => `It ${parts.join(' ')} end`);
const lines = fc.array(words, {minLength: 1, maxLength: 3}).map(said => said.join('\n'));
const item = words.map(said => said.replaceAll('|', '/'));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, {nil: undefined});
const fieldsOf = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<ToolFields> =>
	fc.record(shape).map(fields => JSON.parse(JSON.stringify(fields)));

const calls: Readonly<Record<string, fc.Arbitrary<ToolFields>>> = {
	ask: fieldsOf({
		questions: fc.array(
			fc.record(
				{question: lines, id: fc.constantFrom('Q1', 'port'), options: fc.array(item)},
				{requiredKeys: ['question']},
			),
			{minLength: 1, maxLength: 3},
		),
		all_required: optional(fc.boolean()),
	}),
	stop_work: fieldsOf({details: lines, resume_requirements: optional(lines)}),
	delegate: fieldsOf({
		new_task_description: fc.oneof(lines, fc.array(item, {minLength: 1})),
		independence: optional(fc.constantFrom('can_proceed_parallel', 'blocks_current_work')),
	}),
	complete: fieldsOf({
		status: fc.constantFrom('success', 'partial', 'failed'),
		deliverables: optional(fc.array(item)),
		metrics_achieved: optional(fc.oneof(lines, fc.record({coverage: fc.nat()}))),
	}),
	progress: fieldsOf({phase: fc.constantFrom('Tests', 'Research'), status: lines}),
	finding: fieldsOf({finding: lines, topic: optional(item), files: optional(fc.array(item))}),
	scope: fieldsOf({paths: fc.array(item, {minLength: 1}), reason: optional(lines)}),
	checkpoint: fieldsOf({
		status: fc.constantFrom('COMPLETE', 'BLOCKED', 'IN_PROGRESS'),
		progress: optional(fc.nat({max: 100})),
		changes: optional(
			fc.array(fc.record({file: fc.constant('src/a.ts'), action: item, description: item})),
		),
		tests: optional(
			fc.record({executed: fc.boolean(), result: fc.constantFrom('PASS', 'FAIL', 'SKIPPED')}),
		),
		questions: optional(fc.array(item)),
		request: optional(fc.constantFrom('CONTINUE', 'MERGE', 'HELP', 'ABORT')),
	}),
};

test('there is a tool for each of these, and each is tried here', () => {
	const names = signals.flatMap(({tool}) => tool?.name ?? []);
	expect(names.toSorted()).toEqual(Object.keys(calls).toSorted());
});

describe.each(Object.entries(calls))('the tool %s', (name, arbitrary) => {
	test('says what its signal says when it is printed', () => {
		fc.assert(
			fc.property(arbitrary, fields => {
				const said = readCall(name, fields);
				expect(said).toMatchObject({line: noLine});
				expect(said?.kind).not.toBe('malformed');
				const heard = printed(said).map(signal => ({...signal, line: noLine}));
				expect(heard).toEqual([said]);
			}),
			{numRuns: 300},
		);
	});

	test('says the same as text that claims an agent and a time', () => {
		fc.assert(
			fc.property(arbitrary, fields => {
				const said = readCall(name, fields);
				const [heard] = printed(said);
				const claimed = {...heard, agent: 'AGT-009', timestamp: 'now'} as Signal;
				expect(contentOf(claimed)).toBe(said && contentOf(said));
			}),
			{numRuns: 50},
		);
	});

	test('shows a schema with a meaning for each field', () => {
		const definition = signals.find(({tool}) => tool?.name === name);
		const {type, properties} = Object(definition?.tool?.schema);
		expect(type).toBe('object');
		expect(Object.keys(properties)).not.toEqual([]);
		for (const field of Object.values<{description?: string}>(properties)) {
			expect(field.description).toMatch(/\w/);
		}
	});
});

describe('a call that can’t be read', () => {
	test.each([
		['ask', {}, 'The field questions is missing.'],
		['ask', {questions: [{id: 'port'}]}, 'Each item of questions needs the field question.'],
		['complete', {status: 'done'}, 'The field status must be success, partial or failed.'],
		['stop_work', {details: '‹what happened›'}, 'The field details is not filled in.'],
		['progress', {phase: 'Tests'}, 'The field status is missing.'],
		['checkpoint', {}, 'The checkpoint has no section.'],
		['checkpoint', {progress: 101}, 'The field progress must be a number from 0 to 100.'],
		['checkpoint', {changes: ['a']}, 'The field changes takes file, action, description.'],
		['finding', {finding: 'x'.repeat(17_000)}, 'The call holds more than 16 KiB.'],
	])('%s %j', (name, fields, reason) => {
		expect(readCall(name, fields)).toMatchObject({kind: 'malformed', line: noLine, reason});
	});

	test('nested too deeply is told so', () => {
		let deep: unknown = 'deep';
		for (let depth = 0; depth < 3000; depth++) {
			deep = [deep];
		}

		const said = readCall('stop_work', {details: 'x', state_snapshot: deep});
		expect(said).toMatchObject({kind: 'malformed', signal: 'stop_work'});
	});
});

test('a name that is no tool’s says nothing', () => {
	expect(readCall('merge', {})).toBeUndefined();
	expect(readCall('stop_work ', {details: 'x'})).toBeUndefined();
});
