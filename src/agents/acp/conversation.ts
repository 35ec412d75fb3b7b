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
import {withoutMentions} from '../turn.ts';
import {openingFailure} from './cause.ts';
import {
	type Connection,
	type ConnectionOpening,
	connectAgent,
	requireOldest,
	steer,
} from './connection.ts';
import type {Quirks} from './quirks.ts';
import {hearReplay, type Spoken, type WaitMs, waitOut} from './replay.ts';
import {type Tokens, tokensIn} from './speech/activity.ts';

export type ConversationOpening = ConnectionOpening & {
	/** Servers of tools that it is handed; calls of these need no leave. */
	readonly tools?: readonly McpServer[];
	/** Servers of a person's own; calls of these are asked for like any other. */
	readonly servers?: readonly McpServer[];
	/** The mode that the person wants it in, where that is not the usual one. */
	readonly mode?: string;
	/** The model that the person wants it to use, where they name one. */
	readonly model?: string;
	/** Told what of all this the agent can't take, in a sentence each. */
	readonly onUnmet?: (what: string) => void;
	/** The way to log in that a person chose, by its id: the agent has to log in by it once it wants a login. */
	readonly loginBy?: string;
	/** Told how the agent can log in when it wants a login and nobody chose a way, or that did not help. */
	readonly onLoginWanted?: (ways: readonly LoginWay[]) => void;
	/** The agent's name for an earlier conversation that this one is to go on with. */
	readonly earlier?: string;
	/** What it was told last in that one. */
	readonly toldLast?: string;
	/** How long it may take to start and to open, in milliseconds. */
	readonly patienceMs?: number;
	/** Aborted when nobody wants the conversation any more. */
	readonly signal?: AbortSignal;
	/** Quirks of the agent's vendor. */
	readonly quirks?: Quirks;
	/** Replaces the timer, for tests. */
	readonly wait?: WaitMs;
};

/** A picture, in base64. */
export type Image = {readonly mimeType: string; readonly data: string};

export type Stop = {readonly reason: StopReason; readonly tokens?: Tokens};

/** A process of an agent, and what was said in it so far. */
export type Conversation = Omit<
	Connection,
	'agent' | 'capabilities' | 'takesWords' | 'loginWays'
> & {
	/** The agent's own name for it. */
	readonly id: string;
	/** How a person logs in, where that is known. */
	readonly login?: string;
	/** A reminder to repeat in each prompt after the first, for an agent that takes no system prompt. */
	readonly reminder?: string;
	/** Words of the agent's own that it says as its model's. */
	readonly notices?: RegExp;
	/** The word that begins the last of them, where its model failed. */
	readonly failsBy?: string;
	/** The mode and the model that were wanted as it was opened. */
	readonly mode?: string;
	readonly model?: string;
	/** Names of the servers of tools that it was handed. */
	readonly tools: readonly string[];
	/** Whether it can be shown pictures. */
	readonly seesImages: boolean;
	/** Whether the agent took up an earlier conversation without its last turn, and has answered no prompt in it yet. */
	readonly hasGap: boolean;
	/**
	Begins a new conversation in its place, and returns whether it did: only where the agent took up an earlier one and has answered no prompt in it yet.

	Some agents say that they took up a conversation that they no longer know.
	*/
	readonly beginAnew: () => Promise<boolean>;
	/** Prompts the agent and waits for it to stop. */
	readonly prompt: (text: string, images?: readonly Image[]) => Promise<Stop>;
	/** Says something to the agent in its turn and returns whether it came in time; absent where it takes no words there. */
	readonly say?: (text: string) => Promise<boolean>;
	/** Asks the agent to stop; its prompt ends by that. */
	readonly cancel: () => void;
};

/** The slowest agent known takes ten seconds on a machine that has nothing else to do, and more than a minute on one with fifteen times more to do than it has cores. */
export const defaultPatienceMs = 180_000;

/**
Starts an agent and opens a conversation with it: the earlier one where the agent can go on with it, else a new one.

Fails with a `Failure` that names the true cause: a missing program, no login, an end before the beginning.
*/
export const openConversation = async (opening: ConversationOpening): Promise<Conversation> => {
	const {patienceMs = defaultPatienceMs, quirks = {}} = opening;
	const within = (ms: number): AbortSignal =>
		AbortSignal.any([
			opening.freezer?.timeout(ms) ?? AbortSignal.timeout(ms),
			...(opening.signal ? [opening.signal] : []),
		]);
	let signal = within(patienceMs);
	const connection = await connectAgent(opening, signal);
	try {
		if (quirks.oldest !== undefined && connection.introduction !== undefined) {
			requireOldest(connection.introduction, quirks.oldest);
		}

		const loggedIn = withLogin(connection, opening, () => within(loginMs));
		const opened = await loggedIn(isAgain => {
			signal = isAgain ? within(patienceMs) : signal;
			return openSession(connection, opening, signal);
		});
		return conversationOf(connection, opened, {...opening, loggedIn});
	} catch (error) {
		const outcome = await connection.end();
		const login = defined({login: loginWords(connection, quirks)});
		throw openingFailure(error, {doing: 'open a conversation', signal, outcome, ...login});
	}
};

const conversationOf = (
	connection: Connection,
	opened: Opened,
	opening: ConversationOpening & {readonly loggedIn: LoggedIn},
): Conversation => {
	const {tools = [], quirks = {}, patienceMs = defaultPatienceMs, loggedIn} = opening;
	const {agent, capabilities, takesWords, loginWays, ...rest} = connection;
	let {sessionId, isEarlier: isUntried, hasGap} = opened;
	/** Prompts that joined the one under way; each is answered as that one is. */
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
			const tokens = tokensIn(answer);
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

/** Returns what follows "to log in": what is known of the vendor, and the ways that the agent announced. */
export const loginWords = (
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

/** Makes a request, and makes it once more where the agent had to log in for it. */
type LoggedIn = <Answer>(request: (isAgain: boolean) => Promise<Answer>) => Promise<Answer>;

/** How long a login may take a person, in a browser say, in milliseconds. */
export const loginMs = 5 * 60_000;

/** Has the agent log in, once and by the way that a person chose, where it says that it wants a login; tells the ways where that is not to be, or was in vain. */
export const withLogin = (
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
		const options = {cancellationSignal: patience(), stopWaitingOnCancel: true};
		await agent.request(methods.agent.authenticate, {methodId}, options).catch(cause => {
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

/** Updates that came before an answer are handed on in promises that may settle after it. */
const updatesHandled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const openedSchema = z.object({
	modes: z.object({
		currentModeId: z.string(),
		availableModes: z.array(z.object({id: z.string()})),
	}),
});

/**
Puts a conversation that was just opened into a mode, where the agent offers it; returns whether it does.

Settings of the person, or what the conversation was in before, may have put it into one in which it doesn't ask.
*/
const setMode = async (
	{agent}: Connection,
	sessionId: string,
	{mode, opened, signal}: {mode: string | undefined; opened: unknown; signal: AbortSignal},
): Promise<boolean> => {
	const modes = openedSchema.safeParse(opened).data?.modes;
	const isOffered = modes?.availableModes.some(({id}) => id === mode) ?? false;
	if (mode !== undefined && isOffered && modes?.currentModeId !== mode) {
		await agent.request(
			methods.agent.session.setMode,
			{sessionId, modeId: mode},
			{cancellationSignal: signal, stopWaitingOnCancel: true},
		);
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

/** Puts a conversation that was taken up onto a model, where the agent offers it there; it may have kept the one that it began with. */
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
			{cancellationSignal: signal, stopWaitingOnCancel: true},
		);
	}
};

/** The agent's name for a conversation, whether it is the earlier one, and lacks the end of it. */
type Opened = {
	readonly sessionId: string;
	readonly isEarlier: boolean;
	readonly hasGap: boolean;
};

/** Opens a conversation in an agent that runs: the earlier one where it can go on with it, else a new one. */
const openSession = async (
	connection: Connection,
	opening: ConversationOpening,
	signal: AbortSignal,
): Promise<Opened> => {
	const {earlier, quirks, onUnmet = () => {}, wait = waitOut} = opening;
	const mode = opening.mode ?? quirks?.mode;
	const options = {cancellationSignal: signal, stopWaitingOnCancel: true};
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

/** Returns whether an agent played a conversation without what it was told last; one that plays no words of the other side tells nothing of that. */
const lacksLastTurn = (said: readonly Spoken[], toldLast: string | undefined): boolean => {
	const told = said.filter(({by}) => by === 'person').map(({text}) => plain(text));
	const begin = plain(toldLast ?? '').slice(0, beginLength);
	return begin !== '' && told.length > 0 && !told.some(text => text.includes(begin));
};

/** How much of what it was told last is looked for, in characters. */
const beginLength = 200;

/** Agents keep words with other spaces, and mentions that were put between backticks. */
const plain = (text: string): string => text.replace(/[\s`]+/g, '');

/** An agent says which servers on the network it can talk to; programs are taken by all. */
const takenBy = (
	{capabilities: {mcpCapabilities: {http = false, sse = false} = {}}}: Connection,
	servers: readonly McpServer[],
): readonly McpServer[] => {
	const takes = {http, sse};
	return servers.filter(server => !('type' in server) || takes[server.type]);
};

/** Words that outlast what the agent forgets are sent where it says that it takes them. */
const requestOf = (
	{capabilities}: Connection,
	{directory: cwd, quirks: {meta, reminder} = {}}: ConversationOpening,
	mcpServers: readonly McpServer[],
): NewSessionRequest => {
	return {
		cwd,
		mcpServers: [...mcpServers],
		...defined({_meta: meta && {...meta}}),
		...(reminder === undefined || !keepsWords(capabilities)
			? {}
			: {systemPrompt: {mode: 'append', content: [{type: 'text', text: reminder}]}}),
	};
};

/** Returns whether an agent can be given words that outlast what it forgets. */
const keepsWords = ({sessionCapabilities}: Connection['capabilities']): boolean =>
	'systemPrompt' in (sessionCapabilities ?? {});

/** Resuming is preferred, since loading plays all that was said once more. */
const waysBack = ({capabilities: {loadSession, sessionCapabilities}}: Connection) => [
	...(sessionCapabilities?.resume == null ? [] : [methods.agent.session.resume]),
	...(loadSession ? [methods.agent.session.load] : []),
];

export const notLoggedIn = -32000;
const resourceNotFound = -32002;
const cancelledCode = -32800;

/** A conversation that the agent no longer knows is given up; any other trouble would meet a new one, too. */
const unlessForgotten = (error: unknown): undefined => {
	if (error instanceof RequestError && error.code !== notLoggedIn && error.code !== cancelledCode) {
		return undefined;
	}

	throw error;
};

/** Codex takes a conversation up whose thread is gone, and says so at the first prompt; others may say it there by the protocol's code. */
const isUnknownConversation = (error: unknown): boolean =>
	error instanceof RequestError &&
	(error.code === resourceNotFound ||
		/\b(?:thread|session|conversation)\b.* not found/i.test(saidBy(error)));

/** Agents say the cause in the data of an error as well as in its message. */
const saidBy = (error: RequestError): string => troubleOfError(error, thisMoment()).said;

/** Takes a conversation up once no other program uses it any more; fails with a `Failure` where that takes too long. */
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

/** How often it is looked whether a conversation is free again, in milliseconds. */
const inUseMs = 2000;
