import {describe, expect, test} from 'vitest';
import {fieldsOf} from '../../../src/tui/plan/composition.ts';
import type {Size} from '../../../src/tui/terminal/full-screen.ts';
import {expectAsBefore, expectToFit} from '../a-frame.ts';
import {large, small} from '../a-screen.ts';
import {composeTwo, type FormStart, openForm, type TestForm} from './a-form.ts';

/** A state of the form, as it comes of keys. */
type Case = {
	readonly name: string;
	readonly start?: FormStart;
	readonly go: (form: TestForm) => void;
};

const cases: readonly Case[] = [
	{name: 'new', go: () => {}},
	{
		name: 'after-a-session',
		start: {known: {lastEnd: 'The last session, DEL-1, has ended: a person ended it.'}},
		go: form => form.press('esc'),
	},
	{name: 'two-agents', go: composeTwo},
	{
		name: 'three-agents',
		go: form => {
			composeTwo(form);
			form.press('+');
			form.type('Describe it in the manual');
		},
	},
	{
		name: 'errors',
		go: form => {
			composeTwo(form);
			form.press('enter', 'ctrl+u');
			form.type('cluade');
			form.press('esc', 'up', 'up', 'up', 'up', 'enter', 'ctrl+u', 'esc', 'ctrl+r');
		},
	},
	{
		name: 'picking',
		go: form => {
			composeTwo(form).press('up', 'up', 'enter', 'ctrl+t');
			form.type('s');
		},
	},
	{name: 'save', go: form => composeTwo(form).press('s')},
	{name: 'run', go: form => composeTwo(form).press('ctrl+r')},
	{name: 'keys', go: form => form.press('esc', '?')},
];

const drawn = ({start, go}: Case, size: Size): string => {
	const form = openForm({...start, size});
	go(form);
	return form.frame();
};

describe.each([small, large])('on a screen of $columns×$rows', size => {
	test.each(cases)('$name looks as it did when a person last looked at it', async view => {
		await expectAsBefore(view.name, drawn(view, size), size);
	});
});

test('a scope being picked looks as it did then at 120×40 as well', async () => {
	const size = {columns: 120, rows: 40};
	const picking = cases.find(({name}) => name === 'picking');
	await expectAsBefore('picking', picking === undefined ? '' : drawn(picking, size), size);
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
	const form = composeTwo(openForm({size}));
	form.press('pageUp', 'pageUp', 'pageUp');
	for (const [field] of fieldsOf(form.composition()).entries()) {
		expect(form.frame()).toContain('▸');
		form.press('enter', 'end');
		form.take({kind: 'paste', text: `${'long text '.repeat(30)}§${field}§`});
		// Where the mark is wrapped, what stands beside it comes between.
		expect(form.frame()).toMatch(new RegExp(`§${field}[^§]*§`));
		form.press('esc', 'down');
	}
});

test('what a plan file holds can’t steer the terminal', () => {
	const form = openForm({
		known: {files: ['a\u001b[2Jb'], lastEnd: 'x\u001b]0;y\u0007'},
		size: large,
	});
	const text =
		'version: 1\ntask: "\\e[2J\\u202eevil"\nagents: [{subtask: "\\e]0;x\\a", goal: "\\u009b31m", scope: {allowed: ["*"]}, agent: ["x"]}]\n'.replace(
			', agent: ["x"]',
			'',
		);
	form.take({kind: 'opened', file: {path: 'p\u001b[31m', text}});
	form.press('pageDown');
	expect(form.frame()).toContain('evil');
	expect(form.frame()).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
});

test('a screen that is too small says so, and takes no key but the one to leave', () => {
	const form = openForm();
	form.press('esc');
	form.take({kind: 'resize', size: {columns: 39, rows: 9}});
	expect(form.frame()).toContain('This window is too small.');
	form.press('+', 's', 'q');
	expect(form.composition().subtasks).toHaveLength(1);
	expect(form.effects()).toEqual([{do: 'leave'}]);
});

test('a form with changes can be left in a window that is too small, after a question', () => {
	const form = openForm();
	form.type('Mine');
	form.press('esc');
	form.take({kind: 'resize', size: {columns: 39, rows: 9}});
	form.press('q');
	expect(form.frame().replaceAll('\n', ' ')).toContain('not saved. Leave anyway? q leaves.');
	expect(form.effects()).toEqual([]);
	form.press('q');
	expect(form.effects()).toEqual([{do: 'leave'}]);
});

test('a form that waits can be left in a window that is too small', () => {
	const form = openForm();
	form.type('Mine');
	form.press('esc', 's', 'enter');
	expect(form.context().view.dialog).toEqual({kind: 'waiting', for: 'save-plan'});
	form.take({kind: 'resize', size: {columns: 39, rows: 9}});
	expect(form.frame()).toContain('q leaves.');
	form.press('q');
	expect(form.effects().at(-1)).toEqual({do: 'leave'});
});
