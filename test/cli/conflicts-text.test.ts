import {expect, test} from 'vitest';
import {conflictsText} from '../../src/cli/commands/conflicts.ts';
import type {Finding} from '../../src/conflicts/finding.ts';
import type {ConflictReport, PairReport} from '../../src/conflicts/report.ts';

const pair = (a: string, b: string): PairReport => ({
	...{a, b, base: '0'.repeat(40), clean: true, merged: '1'.repeat(40)},
	...{overlap: [], conflicts: []},
});

const moved = (path: string): Finding => ({
	type: 'FILE_CONFLICT',
	rule: 'F1',
	kind: 'rename/rename',
	...{path, key: `F1 ${path}`, blocking: true, confidence: 'high'},
	summary: 'Each side moved it.',
	evidence: [{side: 'a', path: 'left.txt'}],
});

const report = (fields: Partial<ConflictReport>): ConflictReport => ({
	...{base: null, inputs: [], pairs: [], oracles: [], unread: [], target: {red: []}},
	...fields,
});

test('what collides comes first, and pairs of which there is nothing to tell take a line each', () => {
	const collide = {...pair('a', 'c'), clean: false, conflicts: [moved('x.txt')]};
	const text = conflictsText(report({pairs: [pair('a', 'b'), collide, pair('b', 'c')]}));
	expect(text).toContain('  left.txt\n\na + b: merges cleanly\nb + c: merges cleanly\n\n');
});

test('a conflict of several paths is told once', () => {
	const conflicts = ['left.txt', 'right.txt', 'old.txt'].map(moved);
	const text = conflictsText(report({pairs: [{...pair('a', 'b'), clean: false, conflicts}]}));
	expect(text.match(/Each side moved it/g)).toHaveLength(1);
});

test('of what was wrong already only the first lines are shown', () => {
	const red = Array.from({length: 30}, (_, line) => ({file: 'a.ts', line, text: 'wrong'}));
	const lines = conflictsText(report({target: {red}})).split('\n');
	expect(lines.filter(line => line.includes('wrong'))).toHaveLength(20);
	expect(lines.at(-1)).toBe('  … and 10 more');
});
