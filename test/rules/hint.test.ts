import {expect, it} from 'vitest';
import {hintFor, hintForGone} from '../../src/rules/commands/why-not.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {completed, planned} from '../helpers/given.ts';
import {requireCommand, type Typed} from '../helpers/typed.ts';

const hintOn = (state: State, item: string, choice: string, more: Partial<Typed> = {}): string =>
	hintFor(state, requireCommand(state, {kind: 'decide', item, choice, by: 'user', ...more}));

it('for an item that is gone names the command that lists items', () => {
	const state = planned(['AGT-001']).state();
	expect(hintForGone(state)).toBe('delegate-tui inbox lists what waits for you');
});

it('for a note that is missing names its option', () => {
	const state = completed(['AGT-001']).state();
	expect(hintOn(state, 'r-1', 'feedback')).toContain('--note "…"');
	expect(hintOn(state, 'r-1', 'feedback', {note: 'why'})).not.toContain('--note');
});

it('for an edit without a plan names its option', () => {
	const state = planned(['AGT-001']).state();
	expect(hintOn(state, 'p-1', 'edit')).toContain('--file PLAN.yaml');
});

it('for markers that remain names the files and what to say then', () => {
	const empty = planned(['AGT-001']).state();
	const item = {
		kind: 'conflict',
		id: 'c-1',
		number: 1,
		opened: '',
		a: ['AGT-001'],
		b: ['AGT-002'],
		path: 'a.txt',
		type: 'FILE_CONFLICT',
		summary: '',
		stages: {base: null, a: null, b: null},
		evidence: [],
		manual: {phase: 'open', folder: ''},
	} as const;
	const state = {...empty, items: [item]};
	const marked = hintOn(state, 'c-1', 'done', {seen: {marked: ['a.txt', 'b.txt']}});
	expect(marked).toContain('edit a.txt, b.txt');
	expect(marked).toContain('delegate-tui answer c-1 done');
	expect(hintOn(state, 'c-1', 'done', {seen: {files: []}})).toContain('put the files');
});

it('without a session names the command that starts one', () => {
	expect(hintFor(emptyState, {kind: 'stop'})).toBe('delegate-tui run PLAN.yaml starts one');
});
