import {describe, expect, test} from 'vitest';
import {cardRows} from '../../../src/tui/formatting/said-card.ts';
import {type LastProgress, spoken} from '../../../src/tui/formatting/spoken.ts';

const told = (lines: readonly string[], last: LastProgress = 'reported here') =>
	spoken(lines, last).map(({text}) => text);

const bar = '═'.repeat(39);

describe('the words of an agent', () => {
	test('are shown without the signals among them', () => {
		const lines = [
			'Before.',
			'[CLARIFICATION_NEEDED]',
			'questions: [Which port?]',
			'[/CLARIFICATION_NEEDED]',
			'Between.',
			bar,
			'AGENT CHECKPOINT: [AGT-001]',
			bar,
			'',
			'Status: IN_PROGRESS',
			bar,
			'After.',
		];
		expect(told(lines)).toEqual(['Before.', 'Between.', 'After.']);
	});

	test('keep what only looks like the beginning of one', () => {
		const lines = ['[INFO] starting', '[STOP_WORK]', 'details: no disk', bar, 'Totals', bar];
		expect(told(lines)).toEqual(lines);
	});

	test('keep a block that another closer ends', () => {
		const lines = ['[STOP_WORK]', '[/DELEGATE_WORK]'];
		expect(told(lines)).toEqual(lines);
	});

	test('keep single empty lines', () => {
		expect(told(['One.', '', '', '', 'Two.'])).toEqual(['One.', '', 'Two.']);
	});

	test('tell progress without the form of a signal, and not the last one where it stands elsewhere', () => {
		const lines = ['Before.', 'PROGRESS: Menu - 3/4 prices', '> PROGRESS: Menu - tests', 'After.'];
		expect(told(lines)).toEqual(['Before.', 'Menu: 3/4 prices', 'Menu: tests', 'After.']);
		expect(told(lines, 'reported elsewhere')).toEqual(['Before.', 'Menu: 3/4 prices', 'After.']);
		const none = ['No PROGRESS: here', 'PROGRESS: halfway'];
		expect(told(none)).toEqual(none);
	});

	test('are the last ones', () => {
		const lines = Array.from({length: 5000}, (_, index) => `line ${index}`);
		expect(told(lines).at(-1)).toBe('line 4999');
		expect(told(lines).length).toBeLessThan(1000);
	});
});

test('a card tells a status in words, and everything else as the agent wrote it', () => {
	const text = (said: string) =>
		(cardRows(said, 80) ?? []).map(cells => cells.map(({text}) => text).join('')).join('\n');
	const stopped =
		'[STOP_WORK]\ndetails: no database\nresume_requirements: DATABASE_URL\n[/STOP_WORK]';
	expect(text(stopped)).toContain('DATABASE_URL');
	const bar = '═'.repeat(39);
	const checkpoint = [bar, 'AGENT CHECKPOINT: [AGT-001]', bar, '', 'Status: IN_PROGRESS', bar];
	expect(text(checkpoint.join('\n'))).toContain('in progress');
});

test('a transcript full of signals has each of them read once', () => {
	const card = (number: number) => cardRows(`PROGRESS: Menu - ${number} prices`, 80);
	const first = card(0);
	expect(first).toBeDefined();
	for (let number = 1; number < 900; number++) {
		card(number);
	}

	expect(card(0)).toBe(first);
});
