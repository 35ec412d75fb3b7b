import type {Sandbox} from '../../events/kinds/machine-event.ts';
import type {Environments, Plan} from '../../events/plan.ts';
import {cancel, newAgent} from '../agent/agent.ts';
import {type Session, type State, withItem} from '../state.ts';
import {type Given, itemKind} from './kind.ts';

export type PlanDetail = {
	readonly warnings: readonly string[];
	/** The plan that an approval starts; the branch that it is merged into, and whether documents are kept in the checkout meanwhile. */
	readonly plan?: Plan;
	readonly target?: string;
	readonly documents?: boolean;
	/** File protection on this machine. */
	readonly sandbox?: Sandbox;
	/** Values in the environments of its agents, which are in no event. */
	readonly sets?: Environments;
};

export type PlanChoice = {readonly verb: 'approve' | 'edit' | 'reject'};

export const plan = itemKind<'plan', PlanChoice, PlanDetail>({
	choices: {
		approve: {
			offer: {label: 'Start the agents'},
			decided: state =>
				state.session === null ? state : {...state, session: {...state.session, approved: true}},
		},
		edit: {
			offer: {label: 'Change it'},
			whyNotWith: (state, _, {plan}) => whyNotEdit(state, plan),
			hint: (_, {plan}) => (plan === undefined ? 'give it with --file PLAN.yaml' : undefined),
			decided: (state, _, given) =>
				state.session === null || given.plan === undefined
					? state
					: edited(state, state.session, given.plan, given),
		},
		reject: {
			offer: ({agents}) => ({label: 'End the session', ends: agents.map(({id}) => id)}),
			decided: state => ({
				...state,
				agents: state.agents.map(agent => cancel(agent, 'the plan was rejected')),
			}),
		},
	},
	holdsUp: () => false,
	called: 'a plan to approve',
	title: ({agents, session}) =>
		`Start ${agents.length} ${agents.length === 1 ? 'agent' : 'agents'} on: ${session?.plan.task ?? ''}`,
	detail: ({session, sandbox}) =>
		session === null
			? {warnings: []}
			: {
					warnings: session.warnings,
					plan: session.plan,
					target: session.target,
					documents: session.settings.docs,
					...(sandbox === null ? {} : {sandbox}),
				},
});

const whyNotEdit = (state: State, plan: Plan | undefined): string | undefined => {
	if (plan === undefined) {
		return 'An edit needs the plan file that replaces this one.';
	}

	const target = state.session?.target;
	return plan.target === undefined || plan.target === target
		? undefined
		: `This session merges into ${target}; a plan for ${plan.target} needs a session of its own.`;
};

/** Replaces the plan; one with warnings that were not shown yet waits for its own approval. */
const edited = (state: State, session: Session, plan: Plan, {warnings = []}: Given): State => {
	const approved = warnings.length === 0;
	const taken: State = {
		...state,
		session: {...session, plan, warnings, approved},
		agents: plan.agents.map(subtask => newAgent(subtask, state.awake)),
	};
	return approved ? taken : withItem(taken, {kind: 'plan'});
};
