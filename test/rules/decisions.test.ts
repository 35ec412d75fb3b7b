import fc from 'fast-check';
import {expect, it} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {choicesOf, type OfferedChoice} from '../../src/rules/commands/choices.ts';
import {readDecision} from '../../src/rules/commands/read-decision.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import {apply} from '../../src/state/apply/apply.ts';
import type {Item} from '../../src/state/item.ts';
import {isGivenUp} from '../../src/state/select.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {journals} from '../helpers/any-journal.ts';

const at = '2026-01-01T00:00:00.000Z';

const believe = (state: State, body: Body): State =>
	apply(state, {at, ...body, seq: state.seq + 1});

/** The state with all that follows from it at once. */
const settled = (state: State): State => {
	const {events} = owed(state);
	return events.length === 0 ? state : settled(events.reduce(believe, state));
};

const decided = (state: State, item: Item, {choice}: OfferedChoice): State =>
	believe(state, {kind: 'user.decided', item: item.id, choice, by: 'user'});

const givenUp = (state: State): readonly string[] =>
	state.agents.filter(isGivenUp).map(({id}) => id);

/** The choices that say that an agent is ended, or its work left out. */
const saysSo = ({kind}: Item, {verb}: OfferedChoice): boolean =>
	verb === 'abort' ||
	verb === 'abandon' ||
	verb === 'drop' ||
	(kind === 'plan' && verb === 'reject');

/** Calls for each choice of each item in each state that a journal leads through. */
const forEachChoice = (
	expectation: (state: State, item: Item, choice: OfferedChoice) => void,
): void =>
	fc.assert(
		fc.property(journals, bodies => {
			let state = emptyState;
			for (const body of bodies) {
				state = body === 'owed' ? settled(state) : believe(state, body);
				for (const item of state.items) {
					for (const choice of choicesOf(state, item)) {
						expectation(state, item, choice);
					}
				}
			}
		}),
		{seed: 12, numRuns: 200},
	);

it('no choice gives up an agent or drops its work but one that says so', () => {
	const tried = new Set<string>();
	forEachChoice((state, item, choice) => {
		tried.add(`${item.kind} ${choice.verb}`);
		if (saysSo(item, choice)) {
			return;
		}

		const before = settled(state);
		const after = settled(decided(state, item, choice));
		const lost = givenUp(after).filter(id => !givenUp(before).includes(id));
		expect(lost, `${item.kind} ${choice.choice}`).toEqual([]);
		expect(after.agents.map(({snapshots}) => snapshots)).toEqual(
			before.agents.map(({snapshots}) => snapshots),
		);
	});
	expect(tried.size).toBeGreaterThan(35);
});

it('whatever is offered is read as what it says', () => {
	forEachChoice((state, item, {choice, verb}) => {
		const typed = {item: item.id, choice, by: 'user'} as const;
		const read = readDecision(state, item, typed);
		expect(read?.kind === 'decide' ? read.choice.verb : read?.kind).toBe(verb);
	});
});
