import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {hint} from '../../../src/cli/demo/on-screen.ts';
import {readJournal} from '../../../src/journal/read.ts';
import {apply, isEvent} from '../../../src/state/apply/apply.ts';
import {emptyState, type State} from '../../../src/state/state.ts';
import {startView, type View} from '../../../src/tui/model/view.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');

/** Folders of all recorded sessions. */
const journals = ['journals', 'scenes'].flatMap(folder =>
	readdirSync(join(fixtures, folder))
		.filter(name => !name.includes('.'))
		.map(name => join(fixtures, folder, name)),
);

/** What fits beside the words that the hint stands behind, on a screen of 80 columns. */
const roomColumns = 80 - '★ Try: '.length;

const board = startView({columns: 80, rows: 24});

const at = (item: string): View => ({
	...board,
	place: {
		at: 'item',
		item,
		binding: '',
		from: 'board',
		cursor: undefined,
		marked: [],
		together: false,
		shows: 'facts',
	},
});

/** Returns every state that the recorded sessions went through. */
const recordedStates = async (): Promise<readonly State[]> => {
	const states: State[] = [emptyState];
	for (const journal of journals) {
		const {entries} = await readJournal(journal);
		let state = emptyState;
		for (const event of entries.filter(isEvent)) {
			state = apply(state, event);
			states.push(state);
		}
	}

	return states;
};

test('whatever happened in any recorded session, there is a hint, and it fits', async () => {
	const hints = new Map<string, string>();
	for (const state of await recordedStates()) {
		const [next] = state.items;
		hints.set(`board: ${next?.kind}`, hint(state, board));
		for (const {id, kind} of state.items) {
			hints.set(kind, hint(state, at(id)));
		}
	}

	expect(hints.size).toBeGreaterThan(20);
	for (const [place, text] of hints) {
		expect(text.length, `${place}: ${text}`).toBeLessThanOrEqual(roomColumns);
		expect(text).not.toMatch(/undefined|^$/);
	}
});

test('a hint tells the key that opens what waits, and the one that decides it', async () => {
	const states = await recordedStates();
	const planned = states.find(({items}) => items[0]?.kind === 'plan') ?? emptyState;
	expect(hint(planned, board)).toMatch(/^⏎ opens the plan/);
	expect(hint(planned, at('p-1'))).toContain('y ⏎ starts the agents');
	expect(hint(planned, at('q-9'))).toBe('Esc goes back');
	const ended = states.find(({session}) => session?.ended) ?? emptyState;
	expect(hint(ended, board)).toContain('q leaves');
});

test('whoever fails the check a second time is told of both ways on', async () => {
	const states = await recordedStates();
	const failed = states.find(({items}) => items.some(({kind}) => kind === 'verify')) ?? emptyState;
	const id = failed.items.find(({kind}) => kind === 'verify')?.id ?? '';
	const hintOf = (count: number) => hint({...failed, counts: {v: count}}, at(id));
	expect(hintOf(1)).toContain('sends the agents back');
	expect(hintOf(2)).toMatch(/^it failed again: f sends it back once more, c ⏎ continues/);
	expect(hintOf(2).length).toBeLessThanOrEqual(roomColumns);
});

test('nobody is told to go up and down in an empty inbox', async () => {
	const states = await recordedStates();
	const ended = states.find(({session}) => session?.ended) ?? emptyState;
	expect(hint(ended, {...board, place: {at: 'inbox'}})).toBe('Esc goes back to the board');
});
