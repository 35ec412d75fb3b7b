import {
	type ContentBlock,
	type McpServer,
	methods,
	type NewSessionRequest,
	type PromptResponse,
	RequestError,
	type StopReason,
} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {LoginWay} from '../../events/model-trouble.ts';
import {Failure} from '../../lib/failure.ts';
import {enumerated} from '../../lib/text/words.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {defined} from '../../lib/values.ts';
import {troubleOfError} from '../trouble/read-error.ts';
import {type TurnOutcome, withoutMentions} from '../turn.ts';
import {openingFailure} from './cause.ts';
import {
	type Connection,
	type ConnectionOpening,
	connectAgent,
	endedBy,
	requireOldest,
	steer,
} from './connection.ts';
import type {Quirks} from './quirks.ts';
import {hearReplay, type Spoken, type WaitMs, waitOut} from './replay.ts';
import {type CountParts, countOn, tokensIn} from './speech/count-tokens.ts';

export type ConversationOpening = ConnectionOpening & {
	/** Our tool servers; calls of their tools need no permission. */
	readonly tools?: readonly McpServer[];
	/** The person's own tool servers; calls of their tools need permission like any other. */
	readonly servers?: readonly McpServer[];
	/** Mode that the person set, if it isn't the default one. */
	readonly mode?: string;
	/** Model that the person set, if any. */
	readonly model?: string;
	/** Called with a sentence for each setting that the agent doesn't support. */
	readonly onUnmet?: (what: string) => void;
	/** Id of the way to log in that a person chose: the agent logs in that way once it requires a login. */
	readonly loginBy?: string;
	/** Called with the ways to log in when the agent requires a login and no way was chosen, or it didn't help. */
	readonly onLoginWanted?: (ways: readonly LoginWay[]) => void;
	/** The agent's name for an earlier conversation to resume. */
	readonly earlier?: string;
	/** Last prompt of that conversation. */
	readonly toldLast?: string;
	/** Time to start the agent and to open the conversation, in milliseconds. */
	readonly patienceMs?: number;
	/** Aborted when the conversation is no longer needed. */
	readonly signal?: AbortSignal;
	/** Quirks of the agent's vendor. */
	readonly quirks?: Quirks;
	/** Replaces the timer, for tests. */
	readonly wait?: WaitMs;
};

/** A picture, in base64. */
export type Image = {readonly mimeType: string; readonly data: string};

export type Stop = {readonly reason: StopReason; readonly tokens?: number};

/** A process of an agent with an open conversation. */
export type Conversation = Omit<
	Connection & CountParts & Pick<Quirks, 'login' | 'notices' | 'failsBy'>,
	'agent' | 'capabilities' | 'takesWords' | 'loginWays'
> & {
	/** The agent's name for it. */
	readonly id: string;
	/** Reminder to append to each prompt after the first, for an agent without a system prompt. */
	readonly reminder?: string;
	/** Mode and model that were requested when it was opened. */
	readonly mode?: string;
	readonly model?: string;
	/** Names of our tool servers that it got. */
	readonly tools: readonly string[];
	/** True if it accepts pictures. */
	readonly seesImages: boolean;
	/** True if the agent resumed an earlier conversation without its last turn, and has answered no prompt in it yet. */
	readonly hasGap: boolean;
	/**
	Starts a new conversation in its place, and returns whether it did: only if the agent resumed an earlier one and has answered no prompt in it yet.

	Some agents claim to have resumed a conversation that they no longer know.
	*/
	readonly beginAnew: () => Promise<boolean>;
	/** Sends a prompt and waits for the agent to stop. */
	readonly prompt: (text: string, images?: readonly Image[]) => Promise<Stop>;
	/** Sends a message during the agent's turn and returns whether it came in time; absent if it accepts none. */
	readonly say?: (text: string) => Promise<boolean>;
	/** Asks the agent to stop, which ends its prompt. */
	readonly cancel: () => void;
};

/** The slowest known agent takes ten seconds on an idle machine, and more than a minute on one whose load is fifteen times its number of cores. */
const defaultPatienceMs = 180_000;

/**
Starts an agent and opens a conversation with it: the earlier one if the agent can resume it, else a new one.

Rejects with a `Failure` that names the true cause: a missing program, no login, an early exit.
*/
export const openConversation = (opening: ConversationOpening): Promise<Conversation> =>
	workWith(opening, {doing: 'open a conversation'}, async (connection, signal, loggedIn) => {
		const {quirks = {}} = opening;
		if (quirks.oldest !== undefined && connection.introduction !== undefined) {
			requireOldest(connection.introduction, quirks.oldest);
		}

		const opened = await openSession(connection, opening, signal);
		// What was used up before is not of this process.
		await quirks.spent?.(opened.sessionId);
		return conversationOf(connection, opened, {...opening, loggedIn});
	});

/**
Starts an agent and works with it, once more if it had to log in for that.

Its process lives on, except after a failure: then it is ended, and `onEnd` is called.

@param doing Action that may fail, to follow "it did not".
*/
export const workWith = async <Result>(
	opening: ConversationOpening,
	{doing, onEnd}: {readonly doing: string; readonly onEnd?: (outcome: TurnOutcome) => void},
	work: (connection: Connection, signal: AbortSignal, loggedIn: LoggedIn) => Promise<Result>,
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
			return work(connection, signal, loggedIn);
		});
	} catch (error) {
		const outcome = await connection.end();
		onEnd?.(outcome);
		const login = defined({login: loginWords(connection, quirks)});
		throw openingFailure(error, {doing, signal, outcome, ...login});
	}
};

const conversationOf = (
	connection: Connection,
	opened: Opened,
	opening: ConversationOpening & {readonly loggedIn: LoggedIn},
): Conversation => {
	const {tools = [], quirks = {}, patienceMs = defaultPatienceMs, loggedIn} = opening;
	const {agent, capabilities, takesWords, loginWays, ...rest} = connection;
	const sinceLast = quirks.countsOn ? countOn() : undefined;
	let {sessionId, isEarlier: isUntried, hasGap} = opened;
	/** Prompts that joined the running one; each is answered like that one. */
	let joined: Promise<unknown>[] | undefined;
	const join = async (text: string): Promise<boolean> => {
		joined?.push(
			agent
				.request(methods.agent.session.prompt, {sessionId, prompt: [textBlock(text, quirks)]})
				.catch(() => {}),
		);
		return joined !== undefined;
	};

	return {
		...rest,
		get id() {
			return sessionId;
		},
		get hasGap() {
			return hasGap;
		},
		...defined({
			login: loginWords(connection, quirks),
			notices: quirks.notices,
			failsBy: quirks.failsBy,
			countsRequests: quirks.countsRequests,
			spent: quirks.spent && (async () => quirks.spent?.(sessionId)),
			mode: opening.mode,
			model: opening.model,
			reminder: keepsWords(capabilities) ? undefined : quirks.reminder,
		}),
		tools: tools.map(({name}) => name),
		seesImages: capabilities.promptCapabilities?.image === true,
		beginAnew: async () => {
			const begins = isUntried;
			if (begins) {
				isUntried = false;
				const {earlier, ...anew} = opening;
				({sessionId} = await openSession(connection, anew, AbortSignal.timeout(patienceMs)));
				await quirks.spent?.(sessionId);
			}

			return begins;
		},
		prompt: async (text, images = []) => {
			const pictures = images.map((image): ContentBlock => ({type: 'image', ...image}));
			const joining: Promise<unknown>[] = [];
			joined = joining;
			const answer = await loggedIn(() =>
				agent.request(methods.agent.session.prompt, {
					sessionId,
					prompt: [textBlock(text, quirks), ...pictures],
				}),
			)
				.catch((error: unknown) => {
					if (isUntried && isUnknownConversation(error)) {
						return {stopReason: 'refusal'} satisfies PromptResponse;
					}

					throw error;
				})
				.finally(() => {
					joined = undefined;
				});
			await Promise.all(joining);
			await updatesHandled();
			isUntried &&= answer.stopReason === 'refusal';
			hasGap &&= answer.stopReason === 'refusal';
			const all = tokensIn(answer);
			const tokens = all && sinceLast ? sinceLast(all) : all;
			return {reason: answer.stopReason, ...defined({tokens})};
		},
		...(takesWords
			? {say: text => steer(agent, sessionId, withoutMentions(text, quirks))}
			: quirks.joinsPrompts
				? {say: join}
				: {}),
		cancel: () => {
			agent.notify(methods.agent.session.cancel, {sessionId}).catch(() => {});
		},
	};
};

/** Returns words to follow "to log in": from the vendor's profile, and the ways that the agent announced. */
const loginWords = (
	{loginWays}: Pick<Connection, 'loginWays'>,
	{login}: Pick<Quirks, 'login'>,
): string | undefined => {
	const ways = loginWays.map(({title, command}) =>
		command === undefined ? title : `${title}, by \`${command}\` in a terminal`,
	);
	return ways.length === 0
		? login
		: `${login ?? 'use its own program'}; it offers ${enumerated(ways, 'or')}`;
};

/** Sends a request, and repeats it if the agent had to log in for it. */
type LoggedIn = <Answer>(request: (isAgain: boolean) => Promise<Answer>) => Promise<Answer>;

/** Time for a person to log in, for example in a browser, in milliseconds. */
const loginMs = 5 * 60_000;

/** Makes the agent log in once, in the way that a person chose, if it requires a login; reports the ways if none was chosen, or the login failed. */
const withLogin = (
	{agent, loginWays}: Connection,
	{loginBy, onLoginWanted = () => {}}: ConversationOpening,
	patience: () => AbortSignal,
): LoggedIn => {
	let way = loginWays.find(({id, command}) => id === loginBy && command === undefined);
	const tellWays = (): void => {
		if (loginWays.length > 0) {
			onLoginWanted(loginWays);
		}
	};

	const logIn = async (methodId: string): Promise<void> => {
		const asked = agent.request(methods.agent.authenticate, {methodId}, endedBy(patience()));
		await asked.catch(cause => {
			tellWays();
			throw cause instanceof RequestError
				? new RequestError(notLoggedIn, cause.message, cause.data)
				: new RequestError(notLoggedIn, String(cause));
		});
	};

	return async request => {
		for (let isAgain = false; ; isAgain = true) {
			try {
				return await request(isAgain);
			} catch (error) {
				if (!(error instanceof RequestError && error.code === notLoggedIn)) {
					throw error;
				}

				const chosen = way;
				way = undefined;
				if (chosen === undefined) {
					tellWays();
					throw error;
				}

				await logIn(chosen.id);
			}
		}
	};
};

const textBlock = (text: string, quirks: Quirks): ContentBlock => ({
	type: 'text',
	text: withoutMentions(text, quirks),
});

/** Waits for pending updates: those before an answer may be delivered in promises that settle after it. */
const updatesHandled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const openedSchema = z.object({
	modes: z.object({
		currentModeId: z.string(),
		availableModes: z.array(z.object({id: z.string()})),
	}),
});

/**
Switches a new or resumed conversation to a mode, if the agent offers it; returns whether it does.

The person's settings, or its earlier state, may have put it into a mode in which it doesn't ask.
*/
const setMode = async (
	{agent}: Connection,
	sessionId: string,
	{mode, opened, signal}: {mode: string | undefined; opened: unknown; signal: AbortSignal},
): Promise<boolean> => {
	const modes = openedSchema.safeParse(opened).data?.modes;
	const isOffered = modes?.availableModes.some(({id}) => id === mode) ?? false;
	if (mode !== undefined && isOffered && modes?.currentModeId !== mode) {
		await agent.request(methods.agent.session.setMode, {sessionId, modeId: mode}, endedBy(signal));
	}

	return isOffered;
};

const modelSchema = z.object({
	configOptions: z.array(
		z.object({
			id: z.string(),
			category: z.string().nullish(),
			currentValue: z.unknown(),
			options: z.array(z.object({value: z.string()}).catch({value: ''})).catch([]),
		}),
	),
});

/** Switches a resumed conversation to a model, if the agent offers it; it may have kept its first one. */
const setModel = async (
	{agent}: Connection,
	sessionId: string,
	{model, opened, signal}: {model: string | undefined; opened: unknown; signal: AbortSignal},
): Promise<void> => {
	const options = modelSchema.safeParse(opened).data?.configOptions;
	const option = options?.find(({category}) => category === 'model');
	const isOffered = option?.options.some(({value}) => value === model) ?? false;
	if (model !== undefined && isOffered && option !== undefined && option.currentValue !== model) {
		await agent.request(
			methods.agent.session.setConfigOption,
			{sessionId, configId: option.id, value: model},
			endedBy(signal),
		);
	}
};

/** The agent's name for a conversation, whether it is the earlier one, and whether it lacks its last turn. */
type Opened = {
	readonly sessionId: string;
	readonly isEarlier: boolean;
	readonly hasGap: boolean;
};

/** Opens a conversation with a running agent: the earlier one if it can resume it, else a new one. */
const openSession = async (
	connection: Connection,
	opening: ConversationOpening,
	signal: AbortSignal,
): Promise<Opened> => {
	const {earlier, quirks, onUnmet = () => {}, wait = waitOut} = opening;
	const mode = opening.mode ?? quirks?.mode;
	const options = endedBy(signal);
	const handed = [...(opening.tools ?? []), ...(opening.servers ?? [])];
	const taken = takenBy(connection, handed);
	for (const {name} of handed.filter(server => !taken.includes(server))) {
		onUnmet(`It supports no network servers of this kind, so it does not get ${name}.`);
	}

	const request = requestOf(connection, opening, taken);
	const ready = async (sessionId: string, opened: unknown): Promise<void> => {
		const isSet = await setMode(connection, sessionId, {mode, opened, signal});
		if (opening.mode !== undefined && !isSet) {
			onUnmet(`It offers no mode ${opening.mode}; it works in its usual one.`);
			await setMode(connection, sessionId, {mode: quirks?.mode, opened, signal});
		}

		await setModel(connection, sessionId, {model: opening.model, opened, signal});
	};

	if (earlier !== undefined) {
		for (const method of waysBack(connection)) {
			const replay = hearReplay(connection, quirks ?? {}, wait);
			const back = await onceFree(
				() => connection.agent.request(method, {...request, sessionId: earlier}, options),
				{onUnmet, signal, wait},
			).then(opened => ({opened}), unlessForgotten);
			if (back) {
				const said = method === methods.agent.session.load ? await replay.over(signal) : [];
				const hasGap = lacksLastTurn(said, opening.toldLast);
				if (hasGap) {
					onUnmet('Its saved conversation lacks the last turn, so it is told everything again.');
				}

				await ready(earlier, back.opened);
				return {sessionId: earlier, isEarlier: true, hasGap};
			}
		}
	}

	const fresh = await connection.agent.request(methods.agent.session.new, request, options);
	await ready(fresh.sessionId, fresh);
	return {sessionId: fresh.sessionId, isEarlier: false, hasGap: false};
};

/** Returns whether an agent replayed a conversation without its last prompt; a replay without any prompts says nothing about that. */
const lacksLastTurn = (said: readonly Spoken[], toldLast: string | undefined): boolean => {
	const told = said.filter(({by}) => by === 'person').map(({text}) => plain(text));
	const begin = plain(toldLast ?? '').slice(0, beginLength);
	return begin !== '' && told.length > 0 && !told.some(text => text.includes(begin));
};

/** Length of the beginning of the last prompt that is searched for, in characters. */
const beginLength = 200;

/** Normalizes a text: agents keep words with other spaces, and mentions that were put between backticks. */
const plain = (text: string): string => text.replace(/[\s`]+/g, '');

/** Returns the servers that an agent supports: it announces which ones on the network it can use; all support programs. */
const takenBy = (
	{capabilities: {mcpCapabilities: {http = false, sse = false} = {}}}: Connection,
	servers: readonly McpServer[],
): readonly McpServer[] => {
	const takes = {http, sse};
	return servers.filter(server => !('type' in server) || takes[server.type]);
};

/** Returns the request for a new conversation, with the reminder as system prompt if the agent supports that. */
const requestOf = (
	{capabilities}: Connection,
	{directory: cwd, quirks: {meta, reminder} = {}}: ConversationOpening,
	mcpServers: readonly McpServer[],
): NewSessionRequest => ({
	cwd,
	mcpServers: [...mcpServers],
	...defined({_meta: meta && {...meta}}),
	...(reminder === undefined || !keepsWords(capabilities)
		? {}
		: {systemPrompt: {mode: 'append', content: [{type: 'text', text: reminder}]}}),
});

/** Returns whether an agent supports a system prompt, which outlasts compaction. */
const keepsWords = ({sessionCapabilities}: Connection['capabilities']): boolean =>
	'systemPrompt' in (sessionCapabilities ?? {});

/** Returns the requests that resume a conversation. Loading is preferred, since the replay shows what the agent still knows. */
const waysBack = ({capabilities: {loadSession, sessionCapabilities}}: Connection) => [
	...(loadSession ? [methods.agent.session.load] : []),
	...(sessionCapabilities?.resume == null ? [] : [methods.agent.session.resume]),
];

export const notLoggedIn = -32000;
const resourceNotFound = -32002;
const cancelledCode = -32800;

/** Gives up a conversation that the agent no longer knows; rethrows any other error, since a new one would meet it too. */
const unlessForgotten = (error: unknown): undefined => {
	if (error instanceof RequestError && error.code !== notLoggedIn && error.code !== cancelledCode) {
		return undefined;
	}

	throw error;
};

/** Returns whether an error means that a conversation is gone. Codex resumes one whose thread is gone, and reports it only at the first prompt; others may use the protocol's code then. */
const isUnknownConversation = (error: unknown): boolean =>
	error instanceof RequestError &&
	(error.code === resourceNotFound ||
		/\b(?:thread|session|conversation)\b.* not found/i.test(saidBy(error)));

/** Returns the cause of an error, which may be in its data or in its message. */
const saidBy = (error: RequestError): string => troubleOfError(error, thisMoment()).said;

/** Resumes a conversation once no other program uses it; rejects with a `Failure` if that takes too long. */
const onceFree = async (
	takeUp: () => Promise<unknown>,
	{onUnmet, signal, wait}: {onUnmet: (what: string) => void; signal: AbortSignal; wait: WaitMs},
): Promise<unknown> => {
	for (let tries = 0; ; tries++) {
		try {
			return await takeUp();
		} catch (error) {
			if (!isInUse(error)) {
				throw error;
			}

			if (tries === 0) {
				onUnmet('Another program uses its conversation, so it waits for that.');
			}

			await wait(inUseMs, signal).catch(() => {
				throw new Failure('refused', `Its conversation is in use: ${error.message}`, {
					hint: 'end the other program, then have it try again; it goes on in this conversation',
					cause: error,
				});
			});
		}
	}
};

const isInUse = (error: unknown): error is RequestError =>
	error instanceof RequestError && /\bin use\b/i.test(saidBy(error));

/** Interval of checks whether a conversation is free again, in milliseconds. */
const inUseMs = 2000;
