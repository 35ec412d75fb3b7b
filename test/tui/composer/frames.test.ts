import {describe, expect, test} from 'vitest';
import {fieldsOf} from '../../../src/tui/composer/model/composition.ts';
import type {Size} from '../../../src/tui/terminal/full-screen.ts';
import {expectAsBefore, expectToFit} from '../a-frame.ts';
import {large, small} from '../a-screen.ts';
import {type ComposerStart, composeTwo, openComposer, type TestComposer} from './a-composer.ts';

/** A state of the composer, as it comes of keys. */
type Case = {
	readonly name: string;
	readonly start?: ComposerStart;
	readonly go: (composer: TestComposer) => void;
};

const cases: readonly Case[] = [
	{name: 'new', go: () => {}},
	{
		name: 'after-a-session',
		start: {known: {lastEnd: 'The last session, DEL-1, has ended: stopped by a person.'}},
		go: composer => composer.press('esc'),
	},
	{name: 'two-agents', go: composeTwo},
	{
		name: 'three-agents',
		go: composer => {
			composeTwo(composer);
			composer.press('+');
			composer.type('Describe it in the manual');
		},
	},
	{
		name: 'errors',
		go: composer => {
			composeTwo(composer);
			composer.press('enter', 'ctrl+u');
			composer.type('cluade');
			composer.press('esc', 'up', 'up', 'up', 'up', 'enter', 'ctrl+u', 'esc', 'ctrl+r');
		},
	},
	{name: 'save', go: composer => composeTwo(composer).press('s')},
	{name: 'run', go: composer => composeTwo(composer).press('ctrl+r')},
	{name: 'keys', go: composer => composer.press('esc', '?')},
];

const drawn = ({start, go}: Case, size: Size): string => {
	const composer = openComposer({...start, size});
	go(composer);
	return composer.frame();
};

describe.each([small, large])('on a screen of $columns×$rows', size => {
	test.each(cases)('$name looks as it did when a person last looked at it', async view => {
		await expectAsBefore(view.name, drawn(view, size), size);
	});
});

test.each([
	{columns: 60, rows: 16},
	{columns: 61, rows: 40},
	{columns: 99, rows: 17},
	{columns: 140, rows: 16},
	{columns: 300, rows: 90},
])('every state is exactly as large as $columns×$rows', size => {
	for (const view of cases) {
		expectToFit(drawn(view, size), size, view.name);
	}
});

test.each([
	{columns: 60, rows: 16},
	{columns: 140, rows: 16},
])('on $columns×$rows the field at hand is in sight, and so is what is written in it', size => {
	const composer = composeTwo(openComposer({size}));
	composer.press('pageUp', 'pageUp', 'pageUp');
	for (const [field] of fieldsOf(composer.composition()).entries()) {
		expect(composer.frame()).toContain('▸');
		composer.press('enter', 'end');
		composer.take({kind: 'paste', text: `${'long text '.repeat(30)}§${field}§`});
		expect(composer.frame().replaceAll(/\s/g, '')).toContain(`§${field}§`);
		composer.press('esc', 'down');
	}
});

test('what a plan file holds can’t steer the terminal', () => {
	const composer = openComposer({
		known: {files: ['a\u001b[2Jb'], lastEnd: 'x\u001b]0;y\u0007'},
		size: large,
	});
	const text =
		'version: 1\ntask: "\\e[2J\\u202eevil"\nagents: [{subtask: "\\e]0;x\\a", goal: "\\u009b31m", scope: {allowed: ["*"]}, agent: ["x"]}]\n'.replace(
			', agent: ["x"]',
			'',
		);
	composer.take({kind: 'opened', file: {path: 'p\u001b[31m', text}});
	composer.press('pageDown');
	expect(composer.frame()).toContain('evil');
	expect(composer.frame()).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
});

test('a screen that is too small says so, and takes no key but the one to leave', () => {
	const composer = openComposer();
	composer.press('esc');
	composer.take({kind: 'resize', size: {columns: 59, rows: 15}});
	expect(composer.frame()).toContain('This window is too small.');
	composer.press('+', 's', 'q');
	expect(composer.composition().subtasks).toHaveLength(1);
	expect(composer.effects()).toEqual([{do: 'leave'}]);
});
