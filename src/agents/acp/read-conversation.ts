import {
	type ListSessionsResponse,
	methods,
	RequestError,
	type SessionInfo,
} from '@agentclientprotocol/sdk';
import type {ListedConversation} from '../../events/listed-conversation.ts';
import {Failure} from '../../lib/failure.ts';
import {isIn} from '../../lib/files/folders.ts';
import {enumerated} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {shortLine, type TurnOutcome} from '../turn.ts';
import {type Connection, endedBy} from './connection.ts';
import {type ConversationOpening, notLoggedIn, workWith} from './conversation.ts';
import {hearReplay, type Spoken, waitOut} from './replay.ts';

export type ReadingOptions = {
	/** The agent's name for the conversation. */
	readonly conversation: string;
	/** Folder in which it began, if the agent doesn't report it. */
	readonly folder: string;
	/** Returns why an agent must not open a folder. */
	readonly whyNot: (folder: string) => Promise<string | undefined>;
	/** Called with the processes that could not be ended. */
	readonly onSurvivors: (survivors: TurnOutcome['survivors']) => void;
};

/**
Reads a conversation that a person had, in a process of the agent that ends afterwards.

The agent loads it in the folder where it began, since all agents find it there and none moves it, and gets no prompt there. Continuing it elsewhere can't be verified: an agent that has loaded it for another folder may work in the old one.

@throws `Failure` with the true cause when it can't be read
*/
export const readConversation = (
	opening: ConversationOpening,
	options: ReadingOptions,
): Promise<readonly Spoken[]> =>
	inProcess(opening, {doing: 'read the conversation', ...options}, (connection, signal) =>
		readIn(connection, opening, {...options, signal}),
	);

/**
Lists a person's conversations in a folder, latest first, in a process of the agent that ends afterwards.

@throws `Failure` with the true cause when the agent doesn't list them
*/
export const listConversations = (
	opening: ConversationOpening,
	{folder, onSurvivors}: Pick<ReadingOptions, 'folder' | 'onSurvivors'>,
): Promise<readonly ListedConversation[]> =>
	inProcess(opening, {doing: 'list its conversations', onSurvivors}, async (connection, signal) => {
		if (connection.capabilities.sessionCapabilities?.list == null) {
			throw new Failure('refused', 'This agent lists no conversations over the protocol.', {
				hint: 'write the id that its own program shows',
			});
		}

		return (await listedUpTo(undefined, connection, {signal, cwd: folder}))
			.filter(({cwd}) => isIn(folder, cwd))
			.map(({sessionId: id, title, updatedAt}) => ({
				id,
				title: shortLine(title ?? ''),
				...defined({updatedAt: updatedAt ?? undefined}),
			}))
			.toSorted((one, other) => (other.updatedAt ?? '').localeCompare(one.updatedAt ?? ''));
	});

/** Uses a process of the agent, and ends it afterwards. */
const inProcess = async <Result>(
	opening: ConversationOpening,
	{doing, onSurvivors}: Pick<ReadingOptions, 'onSurvivors'> & {readonly doing: string},
	work: (connection: Connection, signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
	const onEnd = ({survivors}: TurnOutcome) => onSurvivors(survivors);
	const {connection, result} = await workWith(
		opening,
		{doing, onEnd},
		async (connection, signal) => ({
			connection,
			result: await work(connection, signal),
		}),
	);
	onEnd(await connection.end());
	return result;
};

const readIn = async (
	connection: Connection,
	{quirks = {}, wait = waitOut}: Pick<ConversationOpening, 'quirks' | 'wait'>,
	{
		conversation,
		folder,
		whyNot,
		signal,
	}: Omit<ReadingOptions, 'onSurvivors'> & {readonly signal: AbortSignal},
): Promise<readonly Spoken[]> => {
	const {agent, capabilities} = connection;
	if (!capabilities.loadSession) {
		throw new Failure('refused', 'The agent can’t load an earlier conversation.', {
			hint: 'remove `from`, and tell it in `context` what was said',
		});
	}

	const listed = await listedUpTo(conversation, connection, {signal});
	const cwd = listed.find(({sessionId}) => sessionId === conversation)?.cwd ?? folder;
	const why = await whyNot(cwd);
	if (why !== undefined) {
		throw new Failure('refused', why, {hint: 'remove `from`, or allow `trust: project`'});
	}

	// Don't show conversations of other folders: their titles contain the person's words.
	const others = listed.filter(({cwd}) => isIn(folder, cwd)).map(({sessionId}) => sessionId);
	const replay = hearReplay(connection, quirks, wait);
	await agent
		.request(
			methods.agent.session.load,
			{sessionId: conversation, cwd, mcpServers: [], _meta: {...quirks.meta}},
			endedBy(signal),
		)
		.catch((cause: unknown) => {
			throw cause instanceof RequestError && cause.code !== notLoggedIn
				? unread(conversation, shortLine(cause.message), {others, cause})
				: cause;
		});
	const said = await replay.over(signal);
	if (said.length === 0) {
		throw unread(conversation, 'nothing was said in it', {others});
	}

	return said;
};

/** Maximum number of pages of an agent's list. */
const mostPages = 20;

/** Lists an agent's conversations, of all folders or of one, page by page up to the wanted one; none if the agent can't list them. */
const listedUpTo = async (
	conversation: string | undefined,
	{agent, capabilities}: Connection,
	{signal, cwd}: {readonly signal: AbortSignal; readonly cwd?: string},
): Promise<readonly SessionInfo[]> => {
	const listed: SessionInfo[] = [];
	let from: {readonly cursor?: string} | undefined =
		capabilities.sessionCapabilities?.list == null ? undefined : {};
	for (let page = 0; from !== undefined && page < mostPages; page++) {
		const {sessions, nextCursor}: ListSessionsResponse = await agent.request(
			methods.agent.session.list,
			{...from, ...defined({cwd})},
			endedBy(signal),
		);
		listed.push(...sessions);
		const isFound = sessions.some(({sessionId}) => sessionId === conversation);
		from = isFound || nextCursor == null ? undefined : {cursor: nextCursor};
	}

	return listed;
};

/** Maximum number of conversations to name in place of a missing one. */
const mostNamed = 5;

const unread = (
	conversation: string,
	why: string,
	{others, cause}: {readonly others: readonly string[]; readonly cause?: unknown},
): Failure =>
	new Failure('refused', `The conversation ${conversation} can’t be read: ${why}.`, {
		hint:
			others.length === 0
				? 'name one that this agent knows and no other program uses'
				: `name one that no other program uses, of ${enumerated(others.slice(0, mostNamed), 'or')}`,
		cause,
	});
