import {
	type Conversation,
	type Opening,
	openConversation,
} from '../../../agents/acp/conversation.ts';
import type {OnDetail} from '../../../agents/acp/speech/activity.ts';
import {startAcpTurn} from '../../../agents/acp/turn.ts';
import type {TextTurnOptions} from '../../../agents/text-turn.ts';
import type {AgentTurn} from '../../../agents/turn.ts';
import type {Body, TurnEnd} from '../../../events/event.ts';
import {defined} from '../../../lib/defined.ts';
import {passesByItself} from '../../../rules/effects/model-retry.ts';
import {meaningOf} from '../../../signals/meaning.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {agentOf} from '../../../state/select.ts';
import {reportSurvivors} from '../../machine/survivors.ts';
import type {StoppedCommands} from '../../requests/stopped-commands.ts';
import type {World} from '../../world.ts';
import {imagesFor, modeFor, serversFor} from './acp-options.ts';
import type {Prompt} from './prompt-for.ts';
import {readyToGoOn} from './ready-to-go-on.ts';
import {ruleRequest} from './rule-request.ts';

/** What every way of talking needs for a turn. */
export type TurnParts = Omit<TextTurnOptions, 'keepInput' | 'prompt' | 'stream'> &
	Pick<Opening, 'quirks'> & {readonly onDetail: OnDetail; readonly stopped: StoppedCommands};

/** A turn that has begun, and what is to be told of it besides. */
export type Started = {readonly turn: AgentTurn; readonly opened: readonly Body[]};

/**
Starts a turn over ACP: in the process that was kept for it, else in a new one that goes on with the agent's conversation.
*/
export const startAcp = async (
	world: World,
	agent: Agent,
	number: number,
	{prompt, ...parts}: TurnParts & {readonly prompt: Prompt},
): Promise<Started> => {
	const tools = [await world.tools.serverFor(agent.id, parts.environment)];
	const servers = serversFor(agent.subtask.mcpServers, parts.environment);
	const mode = modeFor(agent.subtask);
	const onUnmet = (what: string): void => parts.onDetail({kind: 'unmet', what}, 0);
	if (agent.conversation === undefined) {
		// One that was kept is that of an agent that started over since.
		await world.conversations.end(agent.id);
	}

	const conversation = await world.conversations.open(agent.id, async signal => {
		const {environment} = parts;
		await readyToGoOn(agent, {now: world.now(), environment, signal});
		const opened = await openConversation({
			...parts,
			tools,
			servers: servers.available,
			...defined({mode: mode.available[0]}),
			onUnmet,
			complaints: `${parts.transcript}.err`,
			...defined({earlier: agent.conversation}),
			signal,
		});
		[...servers.unmet, ...mode.unmet].forEach(onUnmet);
		if (opened.introduction !== undefined) {
			parts.onDetail({kind: 'introduction', ...opened.introduction}, 0);
		}

		void opened.gone.then(({survivors}) => reportSurvivors(world, agent.id, survivors));
		return opened;
	});
	const concluded = {inText: false};
	const isConcluded = () =>
		concluded.inText || agentOf(world.state(), agent.id)?.outcome !== undefined;
	const isNew = !remembers(agent, conversation);
	const images = isNew ? await imagesFor(world, agent) : undefined;
	const unseen =
		images !== undefined && images.available.length > 0 && !conversation.seesImages
			? ['It takes no pictures; it is only told where they are.']
			: [];
	[...(images?.unmet ?? []), ...unseen].forEach(onUnmet);
	const turn = startAcpTurn(conversation, {
		...parts,
		prompt: isNew ? prompt.whole : withReminder(prompt.words, conversation),
		images: conversation.seesImages ? (images?.available ?? []) : [],
		onSignal: (signal, offset) => {
			concluded.inText ||= meaningOf(signal).kind === 'concludes';
			parts.onSignal(signal, offset);
		},
		onRefused: ({title, why}) => world.notices.add(agent.id, {kind: 'refused', what: title, why}),
		onExplained: told => world.notices.explained(agent.id, told),
		onRequest: request => {
			parts.stopped.asked(request);
			return ruleRequest(world, agent.id, number, request);
		},
	});
	return {
		turn: {
			...turn,
			ended: resting(world, agent.id, turn, () => conversation.isGone() || isConcluded()),
		},
		opened: openedBy(agent, number, conversation),
	};
};

/** It may have compacted the conversation since, and nobody is told of that. */
const withReminder = (words: string, {reminder}: Conversation): string =>
	reminder === undefined ? words : `${words}\n\nHOW YOU ARE HEARD\n${reminder}`;

/** In a conversation whose model never answered, nobody knows what of its first prompt is kept. */
const remembers = (
	{conversation, conversationTurn = 0, troubled}: Agent,
	{id}: Conversation,
): boolean => id === conversation && (troubled === undefined || conversationTurn < troubled.first);

const openedBy = (agent: Agent, turn: number, {id}: Conversation): readonly Body[] =>
	id === agent.conversation
		? []
		: [{kind: 'conversation.opened', agent: agent.id, turn, conversation: id}];

/** An agent that waits for words, or for its model, may go on soon; one that is done is ended first, so that its worktree stands still. */
const resting = async (
	world: World,
	agent: string,
	turn: AgentTurn,
	isDone: () => boolean,
): AgentTurn['ended'] => {
	const outcome = await turn.ended;
	const quickMs = world.state().session?.settings.quickMs ?? 0;
	if (maySoonGoOn(outcome.end) && !isDone() && quickMs > 0) {
		world.conversations.keep(agent, quickMs);
	} else {
		await world.conversations.end(agent);
	}

	return outcome;
};

const maySoonGoOn = (end: TurnEnd): boolean =>
	end.by === 'exit' ||
	end.by === 'stopped' ||
	(end.by === 'error' && end.trouble !== undefined && passesByItself(end.trouble));
