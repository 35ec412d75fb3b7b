import type {BodyOf} from '../../events/event.ts';
import type {SupervisionPolicy} from '../../events/plan.ts';
import {supervisionChoices} from '../../events/supervision.ts';
import {agentOfItem, type Item, type Kind} from '../../state/item.ts';
import {kindNames, kindOf} from '../../state/items.ts';
import {rivalBehind} from '../../state/rivals/rivals.ts';
import {agentOf, supervisionOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';

/** The policy's answer: ask a person, continue, or stop. */
export type PolicyAnswer = 'ask' | 'go on' | 'stop';

/** A row of the policy: an occasion, and the answer. */
export type PolicyRow = {readonly what: string; readonly answer: PolicyAnswer};

const row = (answer: PolicyAnswer, what: string): PolicyRow => ({what, answer});

/**
The default policy of supervision.

The rules and all screens read this one table. A plan may change the rows in `supervisionChoices`: it can let pass what a person sees again before the merge, and refuse requests for more than the plan allows. The other rows are fixed.
*/
export const policy: Readonly<Record<PolicyKind, PolicyRow>> = {
	...(Object.fromEntries(
		kindNames.map(kind => [kind, row('ask', kindOf({kind}).called)]),
	) as Record<Kind, PolicyRow>),
	help: row('ask', 'a checkpoint at which it asks for help, or to be ended'),
	'second review': row('ask', 'finished work that comes back for a reason'),
	'review of a rival': row('ask', 'finished work of a rival, or that a rival handed on'),
	violation: row('stop', 'a change outside its scope, or in what no agent may write'),
	remote: row('stop', 'a push, or other access to a remote'),
	agents: row('stop', 'a start of another agent'),
};

/** A kind of item, or another occasion. */
export type PolicyKind =
	| Kind
	| 'help'
	| 'second review'
	| 'review of a rival'
	| 'violation'
	| 'remote'
	| 'agents';

export const answerTo = (kind: PolicyKind, said: SupervisionPolicy): PolicyAnswer =>
	kind in supervisionChoices
		? answers[said[kind as keyof SupervisionPolicy] ?? 'ask']
		: policy[kind].answer;

const answers = {ask: 'ask', go: 'go on', stop: 'stop'} as const satisfies Record<
	string,
	PolicyAnswer
>;

/** Returns the decisions that the policy takes for each agent; the journal records them as such. */
export const policyDecisions = (state: State): readonly BodyOf<'user.decided'>[] =>
	state.items.flatMap(item => {
		const answer = answerTo(rowOf(state, item), supervisionOf(state, agentOfItem(item)));
		const taken = isBringingBack(state, item) ? undefined : unasked(item, answer);
		return taken === undefined
			? []
			: [{kind: 'user.decided' as const, item: item.id, ...taken, by: 'policy' as const}];
	});

/** Returns whether granted files are still being restored, which must finish before the work is taken. */
const isBringingBack = (state: State, item: Item): boolean =>
	agentOf(state, agentOfItem(item) ?? '')?.granted !== undefined;

const rowOf = (state: State, item: Item): PolicyKind => {
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

/** Returns the decision that the policy takes without a person. */
const unasked = (
	{kind}: Item,
	answer: PolicyAnswer,
): Pick<Decided, 'choice' | 'note'> | undefined => {
	switch (answer) {
		case 'ask':
			return undefined;
		case 'go on':
			return kind === 'checkpoint'
				? {choice: 'continue'}
				: kind === 'review'
					? {choice: 'merge'}
					: undefined;
		case 'stop':
			return kind === 'delegation' || kind === 'scope' || kind === 'permission'
				? {choice: kind === 'delegation' ? 'reject' : 'refuse', note: refusedUnasked}
				: undefined;
	}
};

type Decided = BodyOf<'user.decided'>;

const refusedUnasked = 'The plan refuses this, and nobody was asked. Go on without it.';
