import fc from 'fast-check';
import {expect, test} from 'vitest';
import {eventText} from '../../../src/client/texts/event-text.ts';
import {itemText} from '../../../src/client/texts/item-text.ts';
import type {Body} from '../../../src/events/event.ts';
import {owed} from '../../../src/rules/effects/effects.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import {noticesOf} from '../../../src/rules/notices.ts';
import {apply} from '../../../src/state/apply/apply.ts';
import {emptyState, type State} from '../../../src/state/state.ts';
import {journals} from '../../helpers/any-journal.ts';

/** Two full stops that are no three of them, or one before a semicolon. */
const twice = /(?<!\.)\.(?:\.(?!\.)|;)/;

const linesOf = (state: State): readonly string[] =>
	[
		...inbox(state).map(item => itemText(item, '/store')),
		...noticesOf(state, {now: state.at, zone: 'UTC'}).map(({text}) => text),
		...state.agents.flatMap(({replies}) => replies.map(({text}) => text)),
	]
		.join('\n')
		.split('\n');

test('no sentence ends in two full stops, whoever said its last words', () => {
	fc.assert(
		fc.property(journals, bodies => {
			let state = emptyState;
			const told: string[] = [];
			const believe = (body: Body): void => {
				const event = {at: '2026-01-01T00:00:00.000Z', ...body, seq: state.seq + 1};
				const {agents, items} = state;
				state = apply(state, event);
				told.push(
					eventText(event),
					...(state.items === items && state.agents === agents ? [] : linesOf(state)),
				);
			};

			for (const body of bodies) {
				(body === 'owed' ? owed(state).events : [body]).forEach(believe);
			}

			expect(told.filter(line => twice.test(line))).toEqual([]);
		}),
		{seed: 6, numRuns: 100},
	);
});
