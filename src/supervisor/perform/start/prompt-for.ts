import {type Launch, launchPrompt} from '../../../agents/launch-prompt.ts';
import {replyBlock} from '../../../agents/resume/reply-block.ts';
import {reminderPrompt, resumePrompt} from '../../../agents/resume/resume-prompt.ts';
import {questionHome} from '../../../control/questions/home.ts';
import type {PromptKind} from '../../../events/event.ts';
import type {Reply} from '../../../events/reply.ts';
import {defined} from '../../../lib/defined.ts';
import {type Seen, unreportedCollisions} from '../../../rules/collisions.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {resultText} from '../../../state/agent/result-text.ts';
import {globallyForbidden} from '../../../state/agent/scope.ts';
import {evidenceText} from '../../../state/evidence-text.ts';
import {buildsOn} from '../../../state/rivals/rivals.ts';
import {agentOf, agentsLeft} from '../../../state/select.ts';
import type {State} from '../../../state/state.ts';
import {arbiterBrief} from '../../arbiter/arbiter-brief.ts';
import {ownCheckpointPath} from '../../questions/checkpoint.ts';
import {requireSession} from '../../require-session.ts';
import type {World} from '../../world.ts';
import {guideFor} from './guide.ts';
import {toolsIn} from './launch-config.ts';
import {markedConflicts} from './marked-conflicts.ts';
import {restorationOf} from './restoration-of.ts';

/** What a turn of an agent starts with. */
export type Prompt = {
	/** For an agent that remembers what it was told. */
	readonly words: string;
	/** For one that remembers nothing: a new process of a text agent, a new conversation. */
	readonly whole: string;
};

/** Returns the prompt of a turn; what it says of the worktree is looked up just before. */
export const promptFor = async (
	world: World,
	state: State,
	agent: Agent,
	prompt: PromptKind,
): Promise<Prompt> => {
	const {plan, settings} = requireSession(state);
	const directory = world.folder.agent(agent.id).tree;
	const results = buildsOn(state, agent).map(id => {
		const other = agentOf(state, id);
		return other === undefined ? 'unknown' : resultText(other);
	});
	const guide = await guideFor(world, agent);
	const brief = await arbiterBrief(world, state, agent);
	const ordinary = launchPrompt({
		plan: {...plan, agents: agentsLeft(state).map(({subtask}) => subtask)},
		subtask: agent.subtask,
		directory,
		results,
		...requesterOf(agent),
		forbidden: globallyForbidden,
		tools: await toolsIn(agent.subtask, directory),
		checkpointMs: settings.checkpointMs,
		...defined({guide}),
	});
	const launch = brief === undefined ? ordinary : `${ordinary}\n\n${brief}`;
	if (prompt === 'launch') {
		const whole = [launch, ...agent.replies.map(replyBlock)].join('\n\n');
		return {words: whole, whole};
	}

	const restoration = await restorationOf(world, agent);
	const unreadable = agent.malformed;
	const notices = world.notices.of(agent.id);
	const conflicts = await markedConflicts(directory, agent.workspace);
	const collisions = unreportedCollisions(state, agent.id).map(collisionText);
	const words =
		prompt === 'reminder'
			? reminderPrompt({notices, unreadable, restoration, collisions})
			: resumePrompt({
					replies: agent.replies.map(reply => withCheckpoint(settings.questionsHome, reply)),
					...defined({trouble: agent.troubled?.last}),
					...(agent.turn.phase === 'ended' ? {end: agent.turn.end.by} : {}),
					notices,
					unreadable,
					restoration,
					conflicts,
					collisions,
				});
	return {words, whole: `${words}\n\n${launch}`};
};

const requesterOf = ({requestedBy, coordination}: Agent): Pick<Launch, 'requester'> =>
	requestedBy === undefined ? {} : {requester: {by: requestedBy, ...defined({coordination})}};

/** An agent that left a question to a person without a checkpoint of its own finds one beside the question. */
const withCheckpoint = (home: string | undefined, reply: Reply): Reply =>
	home === undefined || !reply.escalated || reply.checkpoint !== undefined || !reply.file
		? reply
		: {...reply, checkpoint: ownCheckpointPath(questionHome(home), reply.file)};

/** Names both sides' places: what the agent itself wrote, and what the other one did. */
const collisionText = ({other, side, finding: {summary, evidence}}: Seen): string =>
	`${summary} You: ${evidenceText(evidence, side)}. ${other}: ${evidenceText(evidence, side === 'a' ? 'b' : 'a')}.`;
