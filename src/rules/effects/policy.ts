import type {BodyOf} from '../../events/event.ts';
import type {Supervision} from '../../events/plan.ts';
import {agentOfItem, type Item} from '../../state/item.ts';
import {rivalBehind} from '../../state/rivals/rivals.ts';
import {agentOf, supervisionOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** What is done at once about something that happens: a person is asked, it goes on by itself, or it is stopped. */
export type Answer = 'ask' | 'go on' | 'stop';

/** Something that happens, and what each level of supervision does about it. */
export type PolicyRow = {readonly what: string} & Readonly<Record<Supervision, Answer>>;

const always = (answer: Answer, what: string): PolicyRow => ({
	what,
	supervised: answer,
	'semi-autonomous': answer,
});

/**
What is asked, what goes on, and what is stopped.

The rules and everything that shows them read this one table. A plan chooses the level, for all or for each agent; what is the same at both levels nobody can set otherwise.
*/
export const policy = {
	plan: always('ask', 'the plan, before anything starts'),
	question: always('ask', 'a question'),
	checkpoint: {
		what: 'a checkpoint',
		supervised: 'ask',
		'semi-autonomous': 'go on',
	},
	help: always('ask', 'a checkpoint at which it asks for help, or to be ended'),
	blocker: always('ask', 'a blocker'),
	delegation: always('ask', 'work that it wants to hand on'),
	scope: always('ask', 'more scope that it asks for'),
	permission: always('ask', 'a command that its scope does not decide'),
	limit: always('ask', 'a limit, near or reached'),
	failure: always('ask', 'a failure'),
	review: {what: 'finished work', supervised: 'ask', 'semi-autonomous': 'go on'},
	'second review': always('ask', 'finished work that comes back for a reason'),
	'review of a rival': always('ask', 'finished work of a rival, or that a rival handed on'),
	conflict: always('ask', 'a collision of finished works'),
	verify: always('ask', 'a check that failed'),
	approval: always('ask', 'the merge'),
	violation: always('stop', 'a change outside its scope, or in what no agent may write'),
	remote: always('stop', 'a push, or another reach for a remote'),
	agents: always('stop', 'an agent of its own'),
} as const satisfies Readonly<Record<string, PolicyRow>>;

/** Returns the decisions that are taken by the level of supervision of each agent; the journal tells them as such. */
export const policyDecisions = (state: State): readonly BodyOf<'user.decided'>[] =>
	state.items.flatMap(item => {
		const level = supervisionOf(state, agentOfItem(item));
		const choice =
			policy[rowOf(state, item)][level] === 'go on' && !isBringingBack(state, item)
				? goingOn(item)
				: undefined;
		return choice === undefined
			? []
			: [{kind: 'user.decided' as const, item: item.id, choice, by: 'policy' as const}];
	});

/** What a person granted comes into the work before that is taken. */
const isBringingBack = (state: State, item: Item): boolean =>
	agentOf(state, agentOfItem(item) ?? '')?.granted !== undefined;

/** Returns the row of the table that an item is about. */
const rowOf = (state: State, item: Item): keyof typeof policy => {
	switch (item.kind) {
		case 'checkpoint':
			return item.said.request === 'HELP' || item.said.request === 'ABORT' ? 'help' : 'checkpoint';
		case 'review': {
			const agent = agentOf(state, item.agent);
			return agent !== undefined && rivalBehind(state, agent) !== undefined
				? 'review of a rival'
				: item.trouble === undefined
					? 'review'
					: 'second review';
		}
		default:
			return item.kind;
	}
};

/** What it comes to that an item goes on by itself. */
const goingOn = ({kind}: Item): 'continue' | 'merge' | undefined =>
	kind === 'checkpoint' ? 'continue' : kind === 'review' ? 'merge' : undefined;
