import {expect, test} from 'vitest';
import type {Finding} from '../../../src/events/finding.ts';
import {untilChecked} from '../../../src/supervisor/merging/until-checked.ts';

const finding = (key: string, changes: Partial<Finding> = {}): Finding =>
	({
		type: 'API_CONFLICT',
		rule: 'A2',
		path: 'a.ts',
		key,
		blocking: true,
		confidence: 'medium',
		summary: 'Both sides changed it.',
		evidence: [],
		...changes,
	}) as Finding;

const confirmed = {by: 'TypeScript 7', text: 'TS2554: Expected 2 arguments, but got 1.'};

test('what a checker confirmed or cleared stays so until it has seen the change', () => {
	const lines = [{side: 'a', path: 'a.ts', line: 7, text: 'now'}] as const;
	expect(
		untilChecked(
			[finding('sure', {evidence: lines}), finding('cleared'), finding('new')],
			[
				finding('sure', {confirmed, confidence: 'high'}),
				finding('cleared', {blocking: false, confidence: 'low'}),
			],
		),
	).toEqual([
		finding('sure', {confirmed, confidence: 'high', evidence: lines}),
		finding('cleared', {blocking: false, confidence: 'low'}),
		finding('new'),
	]);
});

test('what only a checker saw is not taken back before it says so, and what was only read is', () => {
	const seen = finding('seen', {confirmed});
	expect(untilChecked([], [seen, finding('read')])).toEqual([seen]);
});
