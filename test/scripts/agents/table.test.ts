import {describe, expect, test} from 'vitest';
import {abilities, type Verdict} from '../../../scripts/agents/abilities.ts';
import {withTrials} from '../../../scripts/agents/docs.ts';
import {remarksOn} from '../../../scripts/agents/remarks.ts';
import {isGood, reasonsIn, tableOf} from '../../../scripts/agents/table.ts';
import type {Trial} from '../../../scripts/agents/try-agent.ts';

const program = {command: ['one'], package: '@some/one', version: '1.2.3'};

/** A trial in which every ability came to the same, but for those that are named. */
const tried = (changes: Readonly<Record<string, Verdict>> = {}): Trial => ({
	vendor: 'claude',
	program,
	kind: 'tried',
	verdicts: abilities.map(({title}) => changes[title] ?? {kind: 'pass'}),
	seconds: 12,
	hosts: ['example.org:443'],
	leftover: [],
});

const mixed = tried({
	'is kept in its scope': {kind: 'pass', how: 'reverted'},
	'calls our tools': {kind: 'not offered', why: 'it has no tools'},
	completes: {kind: 'fail', why: 'it never completed'},
});

const skipped: Trial = {vendor: 'codex', program, kind: 'skipped', why: 'npm could not install it'};
const failed: Trial = {vendor: 'gemini', program, kind: 'failed', why: 'no session started'};

describe('the table of agents', () => {
	test('has a row for each ability and a column for each agent, skipped ones by name', () => {
		const rows = tableOf([mixed, skipped, failed]).trimEnd().split('\n');
		expect(rows).toHaveLength(abilities.length + 3);
		expect(rows.slice(0, 5)).toEqual([
			'|  | `claude` | `codex` | `gemini` |',
			'| --- | --- | --- | --- |',
			'| program | `@some/one` 1.2.3 | `@some/one` 1.2.3 | `@some/one` 1.2.3 |',
			'| works in the sandbox | pass | skipped | fail |',
			'| writes in its scope | pass | skipped | fail |',
		]);
		expect(rows).toContain('| is kept in its scope | pass (reverted) | skipped | fail |');
		expect(rows).toContain('| calls our tools | not offered | skipped | fail |');
	});

	test('is explained where something did not pass', () => {
		expect(reasonsIn([mixed, skipped, failed])).toEqual([
			'`claude` calls our tools: not offered, it has no tools',
			'`claude` completes: fail, it never completed',
			'`codex` skipped: npm could not install it',
			'`gemini` failed: no session started',
		]);
		expect(reasonsIn([tried()])).toEqual([]);
	});

	test('is good when nothing that was tried failed', () => {
		expect(isGood([tried(), skipped])).toBe(true);
		expect(isGood([mixed])).toBe(false);
		expect(isGood([failed])).toBe(false);
	});

	test('comes with what was seen besides', () => {
		expect(remarksOn(mixed)).toEqual([
			'claude took 12 s',
			'claude wanted to reach example.org:443, and was not let',
		]);
		expect(remarksOn(skipped)).toEqual([]);
	});
});

describe('the document of agents', () => {
	const occasion = {date: '2026-01-02', machine: 'linux x64'};
	const text = 'Before.\n<!-- tried agents -->\nold\n<!-- /tried agents -->\nAfter.\n';

	test('gets the table and the reasons', () => {
		const written = withTrials(text, [mixed], occasion);
		expect(written).toMatch(
			/^Before\.\n<!-- tried agents -->\n\nTried on 2026-01-02, on linux x64:/,
		);
		expect(written).toContain(tableOf([mixed]));
		expect(written).toContain('- `claude` completes: fail, it never completed\n');
		expect(written).toMatch(/\n<!-- \/tried agents -->\nAfter\.\n$/);
		expect(written).not.toContain('old');
		expect(withTrials(written, [mixed], occasion)).toBe(written);
	});

	test('must have a place for it', () => {
		expect(() => withTrials('Before.', [mixed], occasion)).toThrow('tried agents');
	});
});
