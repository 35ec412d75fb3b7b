import {join, sep} from 'node:path';
import {
	type ListSessionsResponse,
	methods,
	RequestError,
	type SessionInfo,
} from '@agentclientprotocol/sdk';
import type {ListedConversation} from '../../events/listed-conversation.ts';
import {Failure} from '../../lib/failure.ts';
import {enumerated} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {shortLine, type TurnOutcome} from '../turn.ts';
import {openingFailure} from './cause.ts';
import {type Connection, connectAgent} from './connection.ts';
import {
	type ConversationOpening,
	defaultPatienceMs,
	loginMs,
	loginWords,
	notLoggedIn,
	withLogin,
} from './conversation.ts';
import {hearReplay, type Spoken, waitOut} from './replay.ts';

export type ReadingOptions = {
	/** The agent's name for the conversation. */
	readonly conversation: string;
	/** Where it was begun, if the agent does not tell. */
	readonly folder: string;
	/** Says why an agent may not be told to open a folder. */
	readonly whyNot: (folder: string) => Promise<string | undefined>;
	/** Told what could not be ended of the process that read it. */
	readonly onSurvivors: (survivors: TurnOutcome['survivors']) => void;
};

/**
Reads what was said in a conversation that a person began, in a process of the agent's that ends with it.

It is loaded where it was begun, since that is where all agents find it and none moves it, and nothing is asked of it there. To go on in it elsewhere can't be verified: an agent that has loaded it for another folder may work in the old one.

@throws `Failure` with the true cause where it can't be read
*/
export const readConversation = (
	opening: ConversationOpening,
	options: ReadingOptions,
): Promise<readonly Spoken[]> =>
	inProcess(opening, {doing: 'read the conversation', ...options}, (connection, signal) =>
		readIn(connection, opening, {...options, signal}),
	);

/**
Lists the conversations that a person began in a folder, the last one first, in a process of the agent's that ends with it.

@throws `Failure` with the true cause where the agent doesn't list them
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
			.filter(isIn(folder))
			.map(({sessionId: id, title, updatedAt}) => ({
				id,
				title: shortLine(title ?? ''),
				...defined({updatedAt: updatedAt ?? undefined}),
			}))
			.toSorted((one, other) => (other.updatedAt ?? '').localeCompare(one.updatedAt ?? ''));
	});

/** Does something with a process of the agent's that is ended afterwards. */
const inProcess = async <Result>(
	opening: ConversationOpening,
	{doing, onSurvivors}: Pick<ReadingOptions, 'onSurvivors'> & {readonly doing: string},
	work: (connection: Connection, signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
	const {patienceMs = defaultPatienceMs, quirks = {}, freezer} = opening;
	const within = (ms: number): AbortSignal =>
		AbortSignal.any([
			freezer?.timeout(ms) ?? AbortSignal.timeout(ms),
			...(opening.signal ? [opening.signal] : []),
		]);
	let signal = within(patienceMs);
	const connection = await connectAgent(opening, signal);
	try {
		const loggedIn = withLogin(connection, opening, () => within(loginMs));
		return await loggedIn(isAgain => {
			signal = isAgain ? within(patienceMs) : signal;
			return work(connection, signal);
		});
	} catch (error) {
		const outcome = await connection.end();
		const login = defined({login: loginWords(connection, quirks)});
		throw openingFailure(error, {doing, signal, outcome, ...login});
	} finally {
		onSurvivors((await connection.end()).survivors);
	}
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
	const options = {cancellationSignal: signal, stopWaitingOnCancel: true};
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

	// Those of other folders are nobody's business here, and titles are words of the person's.
	const others = listed.filter(isIn(folder)).map(({sessionId}) => sessionId);
	const replay = hearReplay(connection, quirks, wait);
	await agent
		.request(
			methods.agent.session.load,
			{sessionId: conversation, cwd, mcpServers: [], _meta: {...quirks.meta}},
			options,
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

const isIn =
	(folder: string) =>
	({cwd}: SessionInfo): boolean =>
		cwd === folder || cwd.startsWith(join(folder, sep));

/** Most pages of its list that an agent is asked for. */
const mostPages = 20;

/** Lists an agent's conversations, where it can, of all folders or of one, page by page up to the one that holds the wanted one. */
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
			{cancellationSignal: signal, stopWaitingOnCancel: true},
		);
		listed.push(...sessions);
		const isFound = sessions.some(({sessionId}) => sessionId === conversation);
		from = isFound || nextCursor == null ? undefined : {cursor: nextCursor};
	}

	return listed;
};

/** Most conversations that are named in the place of one that is not there. */
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
