import fc from 'fast-check';
import {expect, it} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {whyNot} from '../../src/rules/commands/why-not.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {statusOf} from '../../src/rules/status.ts';
import {apply} from '../../src/state/apply/apply.ts';
import {legalMoves} from '../../src/state/apply/apply-agent.ts';
import {agentOf} from '../../src/state/select.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {journals} from '../helpers/any-journal.ts';
import {choice, item} from '../helpers/any-parts.ts';
import {subtask} from '../helpers/plan.ts';
import {commandOf, type Typed} from '../helpers/typed.ts';

const expectLegal = (state: State): readonly Body[] => {
	const {events} = owed(state);
	let ahead = state;
	for (const event of events) {
		if (event.kind === 'agent.moved') {
			expect(agentOf(ahead, event.agent)?.state).toBe(event.from);
			expect(legalMoves[event.from]).toContain(event.to);
		}

		ahead = apply(ahead, {...event, seq: ahead.seq + 1, at: ahead.at});
	}

	return events;
};

const at = '2026-01-01T00:00:00.000Z';

const believed = (state: State, body: Body): State =>
	apply(state, {at, ...body, seq: state.seq + 1});

it('whatever a journal says is believed, and what follows from it is legal', () => {
	fc.assert(
		fc.property(journals, bodies => {
			let state = emptyState;
			for (const body of bodies) {
				state =
					body === 'owed' ? expectLegal(state).reduce(believed, state) : believed(state, body);
				expectLegal(state);
				for (const {id, choices} of inbox(state)) {
					expect(id).not.toBe('');
					expect(choices.every(({label}) => label !== '')).toBe(true);
				}

				statusOf(state, id => ({worktree: id, branch: id}));
			}
		}),
		{numRuns: 100},
	);
});

const whyNotTyped = (state: State, asked: Typed): string | undefined => {
	const command = commandOf(state, asked);
	return typeof command === 'string' ? command : whyNot(state, command);
};

it('whatever is asked for is granted or refused in words', () => {
	fc.assert(
		fc.property(journals, item, choice, (bodies, id, choice) => {
			let state = emptyState;
			for (const body of bodies) {
				if (body !== 'owed') {
					state = believed(state, body);
				}
			}

			const answers = [
				whyNotTyped(state, {kind: 'decide', item: id, choice, by: 'user'}),
				whyNotTyped(state, {
					kind: 'decide',
					item: state.items[0]?.id ?? id,
					choice,
					by: 'policy',
				}),
				whyNot(state, {kind: 'stop'}),
				whyNot(state, {kind: 'add', subtask: subtask('AGT-001')}),
			];
			expect(answers.every(answer => answer === undefined || answer.endsWith('.'))).toBe(true);
		}),
		{numRuns: 100},
	);
});

it('what follows from any journal comes to an end', () => {
	fc.assert(
		fc.property(journals, bodies => {
			let state = emptyState;
			for (const body of bodies) {
				if (body !== 'owed') {
					state = believed(state, body);
				}

				let rounds = 0;
				for (let {events} = owed(state); events.length > 0; events = owed(state).events) {
					rounds++;
					state = events.reduce(believed, state);
					expect(rounds).toBeLessThan(50);
				}
			}
		}),
		{numRuns: 100},
	);
});
