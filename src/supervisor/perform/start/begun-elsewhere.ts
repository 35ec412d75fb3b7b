import {readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import type {ConversationOpening} from '../../../agents/acp/conversation.ts';
import {type ReadingOptions, readConversation} from '../../../agents/acp/read-conversation.ts';
import type {Spoken} from '../../../agents/acp/replay.ts';
import {profileOf} from '../../../agents/profiles/profiles.ts';
import {ifThere, isThere} from '../../../lib/files/reading.ts';
import {writeAtomically} from '../../../lib/files/write-atomically.ts';
import type {Agent} from '../../../state/agent/agent.ts';
import {reportSurvivors} from '../../machine/survivors.ts';
import {writePrivate} from '../../worktree/private-file.ts';
import {requireSession, type World} from '../../world.ts';
import {riskyFileFor} from './launch-config.ts';

/** Maximum length of the end of an earlier conversation in a prompt, in characters. */
const mostInPrompt = 24 * 1024;

/**
Reads a conversation that a person had and that an agent continues, and saves it in the agent's folder.

It is read only once: later words of the person, or a replacement of the agent's program, change nothing. The reading process ends with `opening.signal`.

@throws `Failure` with the true cause when it can't be read
*/
export const readBegunElsewhere = async (
	world: Pick<World, 'folder' | 'state' | 'report'>,
	{id, subtask}: Pick<Agent, 'id' | 'subtask'>,
	opening: ConversationOpening & {readonly signal: AbortSignal},
): Promise<void> => {
	const {conversation: kept} = world.folder.agent(id);
	if (subtask.from === undefined || (await isThere(kept))) {
		return;
	}

	const {root} = requireSession(world.state()).repository;
	opening.signal.throwIfAborted();
	const onSurvivors: ReadingOptions['onSurvivors'] = left => reportSurvivors(world, id, left);
	const said = await saidIn(subtask.from, {subtask, root, opening, onSurvivors});
	opening.signal.throwIfAborted();
	await writeAtomically(kept, asText(said));
};

/** Returns blocks about that conversation for the agent's prompt, and writes its full text into the worktree. */
export const begunElsewhere = async (
	{folder}: Pick<World, 'folder'>,
	{id}: Pick<Agent, 'id'>,
): Promise<readonly string[]> => {
	const {conversation: kept, tree} = folder.agent(id);
	const text = await ifThere(readFile(kept, 'utf8'));
	return text === undefined ? [] : [block(text, await writePrivate(tree, 'conversation.md', text))];
};

const saidIn = async (
	conversation: string,
	{
		subtask: {agent},
		root,
		opening,
		onSurvivors,
	}: Pick<Agent, 'subtask'> &
		Pick<ReadingOptions, 'onSurvivors'> & {
			readonly root: string;
			readonly opening: ConversationOpening;
		},
): Promise<readonly Spoken[]> => {
	const profile = profileOf(agent);
	const {environment} = opening;
	return profile?.saidIn === undefined
		? readConversation(opening, {
				conversation,
				folder: root,
				onSurvivors,
				whyNot: async folder => {
					const risky =
						profile === undefined || agent.trust === 'project'
							? undefined
							: await riskyFileFor(folder, profile);
					return risky === undefined
						? undefined
						: `The conversation ${conversation} is not read: there, ${profile?.title} would run programs that ${risky} names before it asks anybody.`;
				},
			})
		: profile.saidIn(conversation, {home: environment.HOME || homedir(), environment});
};

const asText = (said: readonly Spoken[]): string =>
	said
		.map(({by, text}) => `${by === 'person' ? 'THE PERSON' : 'YOU'}:\n${text.trim()}`)
		.join('\n\n');

const block = (text: string, file: string | undefined): string =>
	[
		'EARLIER CONVERSATION',
		'The person began this with you in another conversation, in their own checkout. You go on from it here, in your directory and scope; what differs from the above does not hold any more.',
		...(file === undefined ? [] : [`All that was said stands in ${file}.`]),
		...(text.length > mostInPrompt ? ['It ended with:'] : []),
		text.slice(-mostInPrompt),
	].join('\n');
