import type {AgentOrder} from '../../events/agent-order.ts';
import {defined} from '../../lib/values.ts';
import {whyNot} from '../../rules/commands/why-not.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {agentOfItem, type Item} from '../../state/item.ts';
import {agentOf, itemOf, itemsOf} from '../../state/select.ts';
import {sent} from '../model/decide.ts';
import {profileDraft} from '../model/draft.ts';
import {notLive} from '../model/open-item.ts';
import {type Action, type Context, confirming, keptText, type Visit} from '../model/view.ts';

const where = ['board', 'agent'] as const;

const itemHere = ({model, view: {place}}: Pick<Context, 'model' | 'view'>): Item | undefined =>
	place.at === 'item' ? itemOf(model.state, place.item) : undefined;

/** Returns the agent that the person looks at, or has selected on the board. */
const agentHere = ({model, view}: Context): Agent | undefined => {
	const {agents} = model.state;
	const {place} = view;
	const item = itemHere({model, view});
	const id = place.at === 'agent' ? place.agent : (item && agentOfItem(item)) || view.agent;
	return id === undefined ? agents[0] : agentOf(model.state, id);
};

/** Returns whether there is an agent to steer: none after the end of a session. */
const isThere = (context: Context): boolean =>
	agentHere(context) !== undefined && !context.model.state.session?.ended;

/** Returns whether the agent stands still until a person acts or its model recovers. */
const standsStill = (context: Context): boolean => {
	const agent = agentHere(context);
	return (
		agent !== undefined &&
		whyNot(context.model.state, {kind: 'steer', agent: agent.id, order: {verb: 'resume'}}) ===
			undefined
	);
};

/** Returns whether the agent's work is on the screen, and the plan has checks to run on it. */
const isCheckable = (context: Context): boolean => {
	const {state} = context.model;
	const {place} = context.view;
	const kind = itemHere(context)?.kind;
	return (
		isThere(context) &&
		(state.session?.plan.verify ?? []).length > 0 &&
		(place.at === 'agent' || kind === 'checkpoint' || kind === 'review')
	);
};

const whyNotOrder =
	(order: AgentOrder) =>
	(context: Context): string | undefined =>
		notLive(context) ??
		whyNot(context.model.state, {kind: 'steer', agent: agentHere(context)?.id ?? '', order});

type Ordering = Pick<Action, 'name' | 'keys' | 'label' | 'help'> &
	Partial<Pick<Action, 'where' | 'when'>> & {
		readonly order: AgentOrder;
		readonly done: (id: string) => string;
		readonly question?: (context: Context) => string;
	};

/** Returns an action that gives the agent an order, after a question if there is one. */
const ordering = ({order, done, question, ...words}: Ordering): Action => ({
	...{where, when: isThere, ...words},
	whyNot: whyNotOrder(order),
	run: context => {
		const agent = agentHere(context)?.id ?? '';
		const request = {do: 'steer', agent, order} as const;
		const effect = {do: 'ask', request, done: done(agent)} as const;
		return question === undefined
			? sent(context, effect)
			: confirming(context.view, question(context), effect);
	},
});

export const messaging: readonly Action[] = ([false, true] as const).map(
	(now): Action => ({
		name: now ? 'message-now' : 'message',
		keys: [now ? 'W' : 'w'],
		...(now ? {} : {label: 'write'}),
		help: now
			? 'write to this agent and cut its turn short for it'
			: 'write to this agent; it is told between two tools, or at its next turn',
		where,
		when: isThere,
		whyNot: whyNotOrder({verb: 'message', text: '…', ...(now ? {now} : {})}),
		run: context => {
			const {view} = context;
			const agent = agentHere(context)?.id ?? '';
			return {...view, dialog: {kind: 'message', agent, now, ...keptText(view, agent)}};
		},
	}),
);

const restartingAs = (
	words: Pick<Action, 'name' | 'label' | 'help' | 'where' | 'when'>,
): Action => ({
	...words,
	keys: ['A'],
	whyNot: whyNotOrder({verb: 'restart', from: null}),
	run: context => {
		const {model, view} = context;
		const agent = agentHere(context)?.id ?? '';
		const failure = itemsOf(model.state, agent).find(({kind}) => kind === 'failure');
		return {
			...view,
			dialog: {
				...{kind: 'profile', agent, ...defined({item: failure?.id})},
				...keptText(view, profileDraft(agent)),
			},
		};
	},
});

export const restartingFailed: readonly Action[] = [
	restartingAs({
		name: 'restart-failed-as',
		label: 'retry as …',
		help: 'start the failed agent over as another profile, which you name; its worktree stays',
		where: ['item'],
		when: context => isThere(context) && itemHere(context)?.kind === 'failure',
	}),
];

const visits = [
	{how: 'shell', key: '!', help: 'open a shell in its worktree'},
	{
		how: 'editor',
		key: 'e',
		help: 'open its worktree in your editor, the one in $VISUAL or $EDITOR',
	},
	{how: 'attach', key: 'c', help: 'resume its conversation in its own program'},
] as const satisfies readonly {readonly how: Visit; readonly key: string; readonly help: string}[];

/** Action that lets an agent go on; it comes before others, since nothing else helps an agent that stands still. */
export const resuming: readonly Action[] = [
	ordering({
		...{name: 'resume-agent', keys: ['p'], label: 'resume it'},
		help: 'let this agent go on after you paused it, or try its model again at once',
		when: context => isThere(context) && standsStill(context),
		order: {verb: 'resume'},
		done: id => `${id} goes on`,
	}),
];

/** Further actions on one agent, in any state. */
export const steering: readonly Action[] = [
	ordering({
		...{name: 'pause-agent', keys: ['p'], label: 'pause it'},
		help: 'pause this agent: its turn ends, its clock stops',
		when: context => isThere(context) && !standsStill(context),
		order: {verb: 'pause'},
		done: id => `${id} is being paused`,
	}),
	ordering({
		...{name: 'restart-agent', keys: ['r'], label: 'start over'},
		help: 'start this agent over, in a new conversation; its worktree stays',
		order: {verb: 'restart', from: null},
		done: id => `${id} starts over`,
		question: context =>
			`Start ${agentHere(context)?.id} over? Its worktree stays, its conversation and questions go.`,
	}),
	restartingAs({
		name: 'restart-as',
		help: 'start this agent over as another profile, which you name; its worktree stays',
		where,
		when: isThere,
	}),
	...visits.map(
		({how, key, help}): Action => ({
			name: `${how}-agent`,
			keys: [key],
			help: `${help}; it is paused meanwhile`,
			where,
			when: isThere,
			whyNot: notLive,
			run: context => ({
				view: context.view,
				effects: [{do: 'visit', agent: agentHere(context)?.id ?? '', how}],
			}),
		}),
	),
	ordering({
		...{name: 'stop-agent', keys: ['x'], label: 'stop it'},
		help: 'end this agent; its work is kept, and the others go on',
		order: {verb: 'stop'},
		done: id => `${id} is being stopped`,
		question: context => {
			const agent = agentHere(context);
			const others = context.model.state.agents.filter(
				({id, state}) => id !== agent?.id && state !== 'ABORTED' && state !== 'MERGED',
			);
			return `End ${agent?.id} for good? Its work is kept, not merged; ${others.length === 0 ? 'the session ends with it' : 'the others go on'}.`;
		},
	}),
];

export const checkingWork: readonly Action[] = [
	ordering({
		...{name: 'check-work', keys: ['t'], label: 'tests'},
		help: 'run the plan’s checks on the last snapshot of this agent’s work alone',
		where: ['agent', 'item'],
		when: isCheckable,
		order: {verb: 'check'},
		done: id => `The plan’s checks run on the work of ${id}`,
	}),
];
