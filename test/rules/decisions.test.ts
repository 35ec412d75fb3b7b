import fc from 'fast-check';
import {expect, it} from 'vitest';
import type {Body} from '../../src/events/event.ts';
import {choicesOf, type OfferedChoice} from '../../src/rules/commands/choices.ts';
import type {Decision} from '../../src/rules/commands/command.ts';
import {readDecision} from '../../src/rules/commands/read-decision.ts';
import {owed} from '../../src/rules/effects/effects.ts';
import {apply} from '../../src/state/apply/apply.ts';
import {agentOfItem, type Item, type Kind} from '../../src/state/item.ts';
import {kindOf} from '../../src/state/items.ts';
import {acceptedAgents} from '../../src/state/merge/members.ts';
import {agentOf, isGivenUp} from '../../src/state/select.ts';
import {emptyState, type State} from '../../src/state/state.ts';
import {journals} from '../helpers/any-journal.ts';
import {subtask} from '../helpers/plan.ts';

const at = '2026-01-01T00:00:00.000Z';

const believe = (state: State, body: Body): State =>
	apply(state, {at, ...body, seq: state.seq + 1});

/** The state with all that follows from it at once. */
const settled = (state: State): State => {
	const {events} = owed(state);
	return events.length === 0 ? state : settled(events.reduce(believe, state));
};

/** Who only proposes is out once the last one whose work it is about has come to rest. */
const proposes = (state: State, id: string): boolean =>
	agentOf(state, id)?.arbitrates !== undefined;

/** What may come with a choice, so that none is without effect for want of it. */
const decided = (state: State, item: Item, {choice}: OfferedChoice): State =>
	believe(state, {
		...{kind: 'user.decided', item: item.id, choice, by: 'user', note: 'a.txt'},
		...{subtask: subtask('AGT-010'), files: [{path: 'a.txt', entry: null}]},
		replayed: {applied: [1], left: [], files: [{path: 'a.txt', entry: null}]},
	});

/** Whether nobody of that id is in the session; a journal may tell of agents that never were. */
const isOut = (state: State, id: string): boolean => {
	const agent = agentOf(state, id);
	return agent === undefined || isGivenUp(agent);
};

/** Whether a label says in so many words of an agent that it is ended: by its name, or since it is the one that the item is about, or everybody is. */
const names = (item: Item, {label}: OfferedChoice, id: string): boolean =>
	label.split('; ').some(part => part.includes(id) && endsNamed.test(part)) ||
	(agentOfItem(item) === id && /^(?:End this agent|Drop (?:it|from the result))\b/.test(label)) ||
	/^(?:End the session|Leave all of it out)\b/.test(label);

/** What is said of those that are named where they are ended. */
const endsNamed = /\b(?:stop|set aside|end it|ended|out of the merge)\b|^the work of .* kept$/;

/** The choices by which a work that was accepted is looked at or worked on again; by any other one it stays so, or its agent ends. */
const sendsBack: ReadonlySet<string> = new Set([
	'approval reject',
	'conflict feedback',
	'conflict redo',
	'verify feedback',
	'verify feedback-all',
]);

const printed = <K extends Kind>({kind}: {readonly kind: K}, {choice}: Decision<K>): string =>
	kindOf<K>({kind}).words(choice);

it('each choice is read as what it says, and gives up no agent, drops no work and sends none back unless it says so', () => {
	const tried = new Set<string>();
	const expectAsSaid = (state: State, before: State, item: Item, choice: OfferedChoice): void => {
		const {verb, ends = []} = choice;
		tried.add(`${item.kind} ${verb}${ends.length === 0 ? '' : ' ends'}`);
		const what = `${item.kind} ${choice.choice}: ${choice.label}`;
		const typed = {item: item.id, choice: choice.choice, by: 'user'} as const;
		const read = readDecision(state, item, typed);
		expect(read?.kind === 'decide' ? read.choice.verb : read?.kind, what).toBe(verb);
		expect(read?.kind === 'decide' ? printed(item, read) : choice.choice, what).toBe(choice.choice);

		const after = settled(decided(state, item, choice));
		const accepted = acceptedAgents(after).map(({id}) => id);
		expect(
			sendsBack.has(`${item.kind} ${verb}`)
				? []
				: acceptedAgents(before).filter(({id}) => !accepted.includes(id) && !isOut(after, id)),
			what,
		).toEqual([]);
		const lost = before.agents.filter(agent => !isGivenUp(agent) && isOut(after, agent.id));
		expect(ends, what).toEqual(expect.arrayContaining(lost.map(({id}) => id)));
		expect(
			ends.filter(id => !names(item, choice, id)),
			what,
		).toEqual([]);
		expect(
			ends.filter(id => !isOut(after, id) && !proposes(after, id)),
			what,
		).toEqual([]);

		for (const {id, snapshots} of before.agents) {
			expect(agentOf(after, id)?.snapshots, what).toEqual(snapshots);
		}
	};

	fc.assert(
		fc.property(journals, bodies => {
			let state = emptyState;
			for (const body of bodies) {
				state = body === 'owed' ? settled(state) : believe(state, body);
				const before = settled(state);
				for (const item of state.items) {
					for (const choice of choicesOf(state, item)) {
						expectAsSaid(state, before, item, choice);
					}
				}
			}
		}),
		{seed: 12, numRuns: 60},
	);
	expect(tried.size).toBeGreaterThan(55);
});
