import {type AgentOrder, announcedIn} from '../../events/agent-order.ts';
import type {DecidedBy} from '../../events/event.ts';
import type {Reply} from '../../events/reply.ts';
import {supervisionChoices} from '../../events/supervision.ts';
import {vendors} from '../../events/vendors.ts';
import {enumerated} from '../../lib/text/words.ts';
import {type Agent, lastSnapshot} from '../../state/agent/agent.ts';
import {whyNotGrant} from '../../state/granted.ts';
import {agentOfItem, type Item, type ItemOf, type Kind} from '../../state/item.ts';
import {whyNotAdd} from '../../state/items/offers.ts';
import {blockingItems, kindOf, offerOf, takes} from '../../state/items.ts';
import {whyNotMerge} from '../../state/merge/publication.ts';
import {broughtBy} from '../../state/rivals/rivals.ts';
import {agentOf, isGivenUp, itemOf, itemsOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {modelWaitOf} from '../effects/model-retry.ts';
import {limitWaitOf} from '../limit-wait.ts';
import {takesWork} from './choices.ts';
import {type Command, type Decision, decidedItem, lacksNote} from './command.ts';

/**
Returns the reason why a command is refused, or nothing if it is allowed.

The same sentence greys a key, is printed by the command line, and guards the loop.
*/
export const whyNot = (state: State, command: Command): string | undefined => {
	if (command.kind === 'start') {
		return state.session && !state.session.ended
			? `Session ${state.session.session} is active in this repository; one at a time.`
			: undefined;
	}

	const inactive = whyInactive(state);
	if (inactive !== undefined) {
		return inactive;
	}

	switch (command.kind) {
		case 'stop':
			return publishing(state);
		case 'merge':
			return publishing(state) ?? whyNotMerge(state, command.agents);
		case 'withdraw':
			return state.allowances.some(({id}) => id === command.allowance)
				? undefined
				: `There is no permission ${command.allowance} in this session.`;
		case 'add':
			return publishing(state) ?? whyNotAdd(state, command.subtask.id);
		case 'steer':
			return publishing(state) ?? whyNotSteer(state, command);
		case 'snooze':
			return itemOf(state, command.item) ? undefined : whyGone(state, command.item);
		case 'answer':
			return whyNotAnswer(state, command);
		case 'decide':
			return whyNotDecide(state, command);
	}
};

/** Returns the reason why an item that no longer waits can't be decided. */
export const whyGone = (state: State, id: string): string =>
	whyInactive(state) ?? `No item ${id} waits for you; it was decided, or its cause is gone.`;

const whyInactive = ({session}: State): string | undefined => {
	if (!session || session.ended) {
		return 'No session is active in this repository.';
	}

	return session.stopping === undefined ? undefined : 'The session is being stopped.';
};

const publishing = (state: State): string | undefined =>
	state.merge.phase === 'intended' ? 'The approved result is being merged.' : undefined;

const whyNotDecide = <K extends Kind>(state: State, decision: Decision<K>): string | undefined => {
	const item = decidedItem(state, decision);
	if (item === undefined) {
		return whyGone(state, decision.item);
	}

	const {choice} = decision;
	const kind = kindOf<K>(item);
	return (
		whyNotBy(state, decision) ??
		whyNotOffered(state, item, decision) ??
		whyNoNote(state, item, decision) ??
		whyNotAlso(decision) ??
		whyNotYet(state, item, decision) ??
		kind.whyNot(state, item, choice) ??
		kind.whyNotWith(state, item, choice, decision)
	);
};

/** Refuses parts of other agents' work with any choice that would count them as the agent's own. */
const whyNotAlso = ({choice, picked}: Pick<Decision, 'choice' | 'picked'>): string | undefined =>
	picked?.also === undefined || choice.verb === 'merge-with'
		? undefined
		: 'Only "merge-with" takes parts of another agent’s work, and that agent must be a rival.';

/** Refuses to take work while files that a person granted are still being restored into it. */
const whyNotYet = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	{choice, note, seen}: Pick<Decision, 'choice' | 'note' | 'seen'>,
): string | undefined => {
	const others = choice.verb === 'merge-with' ? broughtBy(choice.agent, note, seen?.files) : [];
	const waiting = [agentOfItem(item) ?? '', ...others]
		.map(id => agentOf(state, id))
		.find(agent => agent?.granted !== undefined);
	return waiting !== undefined && takesWork(choice)
		? `The files that you granted ${waiting.id} are still being restored; try again in a moment.`
		: undefined;
};

/** Refuses all answers if one is refused, so that they are given together or not at all. */
const whyNotAnswer = (
	state: State,
	{answers}: Extract<Command, {kind: 'answer'}>,
): string | undefined => {
	for (const [index, answer] of answers.entries()) {
		const {item} = answer;
		const why = answers.slice(0, index).some(earlier => earlier.item === item)
			? 'You answered it twice.'
			: whyNotDecide(state, answer);
		if (why !== undefined) {
			return answers.length === 1 ? why : `${item}: ${why} None of the answers was given.`;
		}
	}

	return undefined;
};

/** Refuses decisions that only a person may make; the scripted person exists only in the demo. */
const whyNotBy = (
	state: State,
	{on, by}: {readonly on: Kind; readonly by: DecidedBy},
): string | undefined => {
	if (by === 'demo' && !state.session?.demo) {
		return 'Scripted decisions are for the demo only.';
	}

	if (by === 'file' && on !== 'question') {
		return 'A file answers questions, and decides nothing else.';
	}

	return by === 'policy' && !(on in supervisionChoices)
		? 'Only a person can decide this.'
		: undefined;
};

/** Refuses a choice that the item doesn't offer. */
const whyNotOffered = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	{choice}: Decision<K>,
): string | undefined =>
	takes(state, item, choice)
		? undefined
		: `"${kindOf<K>(item).words(choice)}" is not a choice for ${item.id}.`;

/** Refuses a choice without the note that it needs. */
const whyNoNote = <K extends Kind>(
	state: State,
	item: ItemOf<K>,
	decision: Decision<K>,
): string | undefined =>
	lacksNote(state, item, decision)
		? `"${kindOf<K>(item).words(decision.choice)}" needs a note that says ${offerOf<K>(state, item, decision.choice)?.wants ?? 'what the agent is to do'}.`
		: undefined;

/**
Returns advice about a command that `whyNot` refuses.

`whyNot` gives the reason and is read in many places; this advice is for the person who typed the command.
*/
export const hintFor = (state: State, command: Command): string => {
	switch (command.kind) {
		case 'start':
			return 'see "delegate-tui status"; "delegate-tui stop" ends it and keeps its work';
		case 'stop':
		case 'add':
			return hintAtRest(state) ?? status;
		case 'merge':
			return hintAtRest(state) ?? hintForMerge(state, command.agents);
		case 'withdraw':
			return hintAtRest(state) ?? hintForWithdrawal(state);
		case 'steer':
			return hintAtRest(state) ?? hintForSteering(state, command);
		case 'snooze':
		case 'answer':
			return hintForGone(state);
		case 'decide':
			return hintAtRest(state) ?? hintForDecision(state, command);
	}
};

/** Returns advice about an item that is gone. */
export const hintForGone = (state: State): string =>
	hintAtRest(state) ?? 'delegate-tui inbox lists what waits for you';

const hintAtRest = ({session}: State): string | undefined => {
	if (!session || session.ended) {
		return 'delegate-tui run PLAN.yaml starts one';
	}

	return session.stopping === undefined ? undefined : status;
};

const hintForMerge = ({items}: State, agents: readonly string[]): string => {
	const item =
		items.find(({kind}) => kind === 'approval' || kind === 'conflict' || kind === 'verify') ??
		items.find(one => one.kind === 'review' && agents.includes(one.agent));
	return item === undefined ? status : `delegate-tui answer ${item.id}`;
};

const hintForWithdrawal = ({allowances}: State): string =>
	allowances.length === 0
		? 'no agent has any'
		: `take one of: ${allowances.map(({id}) => id).join(', ')}`;

const status = 'delegate-tui status shows where the session stands';

const hintForDecision = <K extends Kind>(state: State, decision: Decision<K>): string => {
	const item = decidedItem(state, decision);
	if (item === undefined) {
		return hintForGone(state);
	}

	if (lacksNote(state, item, decision)) {
		return `give it with --note "…"`;
	}

	return (
		kindOf<K>(item).hint(item, decision.choice, decision) ??
		'delegate-tui inbox shows what can be chosen, and what can’t be now'
	);
};

export type SteerCommand = {readonly agent: string; readonly order: AgentOrder};

/** Returns the reason why an agent can't be steered in this way now, or nothing if it can. */
const whyNotSteer = (state: State, {agent: id, order}: SteerCommand): string | undefined => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return `There is no agent ${id} in this session.`;
	}

	return whyNoMore(state, agent) ?? whyNotVerb(state, agent, order);
};

/** Returns advice about refused steering. */
const hintForSteering = (state: State, {agent: id}: SteerCommand): string => {
	const agent = agentOf(state, id);
	if (agent === undefined) {
		return `take one of: ${state.agents.map(({id}) => id).join(', ')}`;
	}

	const asking = askingItem(state, agent) ?? planItem(state);
	return asking === undefined
		? 'delegate-tui status shows where each agent stands'
		: `delegate-tui answer ${asking.id}`;
};

const whyNoMore = (state: State, agent: Agent): string | undefined => {
	if (agent.state === 'MERGED') {
		return `The work of ${agent.id} is merged.`;
	}

	if (agent.state === 'ABORTED') {
		return `${agent.id} is out of the session: ${agent.why}.`;
	}

	if (isGivenUp(agent)) {
		return `${agent.id} is being stopped.`;
	}

	const plan = planItem(state);
	return plan && `The plan is not approved yet; ${plan.id} asks what becomes of it.`;
};

const planItem = ({items}: State): Item | undefined => items.find(({kind}) => kind === 'plan');

/** Returns the item in which a person decides about an agent that has ended. */
const askingItem = (state: State, {id}: Agent): Item | undefined =>
	itemsOf(state, id).find(({kind}) => kind === 'review' || kind === 'failure');

const whyNotVerb = (state: State, agent: Agent, order: AgentOrder): string | undefined => {
	switch (order.verb) {
		case 'message':
			return (
				whyOver(state, agent) ??
				(order.command ? whyNotCommand(agent, order.text) : undefined) ??
				(order.now ? whyNotNow(state, agent) : undefined)
			);
		case 'pause':
			return whyOver(state, agent) ?? whyNotPause(agent, order);
		case 'resume':
			return order.visit === undefined &&
				agent.held === undefined &&
				modelWaitOf(state, agent) === undefined &&
				limitWaitOf(state, agent) === undefined
				? `${agent.id} is not paused.`
				: undefined;
		case 'restart':
			return whyNotRestart(state, agent, order);
		case 'switch':
			return whyTaken(agent) ?? whyNotSwitch(agent, order);
		case 'grant':
			return whyTaken(agent) ?? whyNotGrant(agent, order.paths);
		case 'check':
			return whyNotCheck(state, agent);
		case 'stop':
			return whyAsked(state, agent);
	}
};

/** Returns the reason why an agent has no next turn: it is done, or was accepted as done. */
const whyOver = (state: State, agent: Agent): string | undefined =>
	whyAsked(state, agent) ?? whyTaken(agent);

const whyTaken = ({id, verdict, outcome}: Agent): string | undefined =>
	verdict.kind === 'accepted' || outcome?.by === 'person'
		? `You have accepted the work of ${id} as it is.`
		: undefined;

/** Returns the reason why an agent can't be switched: only known vendors can, and only to modes in which they ask. */
const whyNotSwitch = (
	{id, subtask}: Agent,
	order: Extract<AgentOrder, {verb: 'switch'}>,
): string | undefined => {
	const {agent} = subtask;
	const vendor = agent.protocol === 'acp' ? agent.vendor : undefined;
	if (vendor === undefined) {
		return `${id} can’t be switched: that takes an agent that is known by name and speaks the protocol.`;
	}

	const modes: readonly string[] = vendors[vendor].askingModes;
	return order.what === 'mode' && !modes.includes(order.to)
		? `${id} is not known to ask before it acts in the mode ${order.to}; it does in ${enumerated(modes, 'and')}.`
		: undefined;
};

/** Returns the reason why a slash command is not sent: the agent didn't announce it, or it would stop the agent from asking. */
const whyNotCommand = (
	{id, subtask: {agent}, commands}: Agent,
	text: string,
): string | undefined => {
	const command = announcedIn(text, commands);
	if (command === undefined) {
		return `${id} offers no command ${text.split(/\s/, 1)[0]}.`;
	}

	const vendor = agent.protocol === 'acp' ? agent.vendor : undefined;
	const loose: readonly string[] = vendor === undefined ? [] : vendors[vendor].looseCommands;
	return loose.includes(command.name)
		? `/${command.name} would change what ${id} asks before it acts; \`mode:\` in the plan, or \`/mode\` here, sets one in which it asks.`
		: undefined;
};

/** Returns an agent without the waiting slash commands that its program may not get now, and the reason for each. */
export const withSendable = (
	agent: Agent,
): {readonly sent: Agent; readonly unsent: readonly string[]} => {
	const whyUnsent = ({command, text}: Reply) => (command ? whyNotCommand(agent, text) : undefined);
	return {
		sent: {...agent, replies: agent.replies.filter(reply => whyUnsent(reply) === undefined)},
		unsent: agent.replies.flatMap(reply => whyUnsent(reply) ?? []),
	};
};

/** Returns the reason why a turn isn't cut short for a message: a waiting agent gets it with its reply. A permission is no such reason, since it belongs to the turn that would be cut short. */
const whyNotNow = (state: State, agent: Agent): string | undefined => {
	const item = blockingItems(state, agent).find(({kind}) => kind !== 'permission');
	const [awaited] = agent.awaits ?? [];
	if (item === undefined && awaited !== undefined) {
		return `${agent.id} waits for the work of ${awaited.agent}; without "now" the message goes with that.`;
	}

	return (
		item &&
		`${agent.id} waits for ${item.id}, and goes on once that is decided; without "now" the message goes with it.`
	);
};

const whyNotRestart = (
	state: State,
	agent: Agent,
	{from, as, item}: Extract<AgentOrder, {verb: 'restart'}>,
): string | undefined => {
	const {id, snapshots} = agent;
	if (item !== undefined && itemOf(state, item) === undefined) {
		return `${item} no longer waits; ${id} goes on as was decided there.`;
	}

	if (from !== null && !snapshots.some(({number}) => number === from)) {
		return `${id} has no snapshot ${from}${snapshots.length === 0 ? '' : `; the last one is ${snapshots.at(-1)?.number}`}.`;
	}

	if (from !== null && agent.visits !== undefined) {
		return `Somebody is in the worktree of ${id}; it can be set back once they have left.`;
	}

	const isAsked = askingItem(state, agent)?.kind === 'failure';
	if (isAsked) {
		return undefined;
	}

	const over = whyOver(state, agent);
	if (over !== undefined) {
		return over;
	}

	switch (agent.state) {
		case 'SPAWNING':
			return `${id} is just being started; it can start over once it runs.`;
		case 'COMPLETE':
		case 'FAILED':
			return `${id} is about to be started again.`;
		case 'PENDING':
			return as === undefined ? `${id} has not started yet.` : undefined;
		case 'RUNNING':
		case 'CHECKPOINT':
		case 'MERGED':
		case 'ABORTED':
			return undefined;
	}
};

/** Returns the reason why an agent can't be paused; a visit needs it paused, or pauses it. */
const whyNotPause = (
	{id, state, held, outcome}: Agent,
	{visit}: Extract<AgentOrder, {verb: 'pause'}>,
): string | undefined => {
	if (held !== undefined) {
		return visit === undefined ? `${id} is paused already.` : undefined;
	}

	if (state === 'SPAWNING') {
		return `${id} is just being started; it can be paused once it runs, or stopped now.`;
	}

	if (state === 'COMPLETE' || state === 'FAILED') {
		return `${id} is about to be started again; it can be paused once it runs.`;
	}

	return outcome === undefined ? undefined : `${id} has said that it has finished.`;
};

const whyNotCheck = (state: State, agent: Agent): string | undefined => {
	if ((state.session?.plan.verify ?? []).length === 0) {
		return 'The plan has no verify command, so there is nothing to run.';
	}

	if (lastSnapshot(agent) === undefined) {
		return `There is no snapshot of the work of ${agent.id} yet.`;
	}

	return agent.toCheck === undefined ? undefined : 'Its checks are being run already.';
};

const whyAsked = (state: State, agent: Agent): string | undefined => {
	const item = askingItem(state, agent);
	return (
		item &&
		`${agent.id} has ${item.kind === 'review' ? 'finished' : 'failed'}; ${item.id} asks what becomes of its work.`
	);
};
