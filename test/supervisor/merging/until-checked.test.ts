import {expect, test} from 'vitest';
import type {Finding} from '../../../src/events/finding.ts';
import {untilAllAsked} from '../../../src/supervisor/merging/radar.ts';

const findingOf = (key: string, by?: string): Finding => ({
	...{type: 'API_CONFLICT', rule: 'A6', path: key, key, blocking: true, confidence: 'high'},
	...{summary: key, evidence: []},
	...(by === undefined ? {} : {confirmed: {by, text: key}}),
});

test('what a checker had confirmed stays until it was asked again', () => {
	const [found, fast, slow] = [
		findingOf('found'),
		findingOf('fast', 'Fast 1'),
		findingOf('slow', 'Slow 1'),
	];
	const last = [fast, slow, findingOf('found', 'Slow 1')];
	expect(untilAllAsked([found], last, ['Fast 1'])).toEqual([found, slow]);
	expect(untilAllAsked([found], last, ['Fast 1', 'Slow 1'])).toEqual([found]);
});
