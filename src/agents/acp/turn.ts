import type {SessionUpdate, StopReason} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {TurnEnd} from '../../events/event.ts';
import type {ModelLimit, ModelTrouble} from '../../events/model-trouble.ts';
import type {Reply} from '../../events/reply.ts';
import {thisMoment} from '../../lib/this-moment.ts';
import {settles} from '../../lib/timers.ts';
import {defined} from '../../lib/values.ts';
import type {Moment} from '../../lib/zoned-time.ts';
import type {Signal} from '../../signals/index.ts';
import {meaningOf} from '../../signals/meaning.ts';
import {type AgentNotice, noticeBlock} from '../launch-prompt.ts';
import {replyBlock} from '../resume/reply-block.ts';
import {limitOfClaude} from '../trouble/limit.ts';
import {troubleInWords, troubleOfCodex} from '../trouble/read-error.ts';
import {type AgentTurn, oneLine, shortLine, type TurnOutcome} from '../turn.ts';
import {createWatchdog, type SilenceOptions} from '../watchdog.ts';
import {type FailedEnd, failedOf, turnEndOf, withLimit} from './cause.ts';
import type {Conversation, Image} from './conversation.ts';
import {createGate, type Refusal, type Request, type Ruling} from './permission/gate.ts';
import {isRejection} from './permission/permission-request.ts';
import {type OnDetail, trackActivity} from './speech/activity.ts';
import {countTokens} from './speech/count-tokens.ts';
import {createSpeech, pacedSpeech, type SpeechOptions} from './speech/speech.ts';

export type AcpTurnOptions = SpeechOptions & {
	readonly prompt: string;
	/** Commands of the agent, each sent unchanged before the prompt. */
	readonly commands?: readonly string[];
	/** Pictures to send with it. */
	readonly images?: readonly Image[];
	readonly onDetail: OnDetail;
	/** Rules on permission requests; those that it leaves to a person are answered by `permit`. */
	readonly onRequest: (request: Request) => Promise<Ruling>;
	/** Called when the agent resumed an earlier conversation but doesn't know its content, and a new one was opened; returns the prompt for it. */
	readonly onBegunAnew?: () => Promise<Pick<AcpTurnOptions, 'prompt' | 'images'>>;
	/** Called with each refusal, so that the reason can be told to the agent. */
	readonly onRefused?: (refusal: Refusal) => void;
	/** Called with the refusals that were explained to the agent here: during its turn, or after it gave up. */
	readonly onExplained?: (told: readonly AgentNotice[]) => void;
} & SilenceOptions;

/** Maximum number of prompts in one turn that explain refusals to an agent that gave up. */
const maximumExplanations = 10;

/** Time within which an agent must stop when asked, in milliseconds; longer if it should continue afterwards. */
const cancelMs = 3000;
const interruptMs = 10_000;

/**
Prompts an agent: one prompt is one turn, and the process lives on after it.

The protocol has no field for the reason of a refusal: an agent that accepts messages during its turn gets the reason then, and one that stops at a refusal gets another prompt with it.
*/
export const startAcpTurn = (conversation: Conversation, options: AcpTurnOptions): AgentTurn => {
	let stopping = false;
	let hasReported = false;
	let hasAnswered = false;
	let lastSaid = '';
	let limit: ModelLimit | undefined;
	const undelivered: Refusal[] = [];
	const gate = createGate(options.onRequest, conversation.tools, refusal => {
		undelivered.push(refusal);
		options.onRefused?.(refusal);
	});
	const speech = pacedSpeech(
		createSpeech({
			...options,
			onSignal: (signal, offset) => {
				if (isWordOnTheTurn(signal)) {
					hasReported = true;
					gate.goOn();
				}

				options.onSignal(signal, offset);
			},
		}),
	);
	const activity = trackActivity({speech, onDetail: options.onDetail, onTool: gate.goOn});
	const failure = createCodexFailure(why =>
		options.onDetail({kind: 'retrying', why}, speech.length()),
	);
	const watchdog = createWatchdog(options, activity.running);
	const count = countTokens(conversation, detail => options.onDetail(detail, speech.length()));
	/** Prompts the agent, and counts what that takes. */
	const ask: Conversation['prompt'] = async (...asked) => {
		count.begin();
		const stop = await conversation.prompt(...asked).finally(speech.endPrompt);
		await count.end(stop);
		return stop;
	};
	conversation.listen({
		update: update => {
			const isNoticed = isNotice(update, conversation);
			const isAnswer = answers.has(update.sessionUpdate) && !isNoticed;
			hasAnswered ||= isAnswer;
			watchdog.heard(isAnswer);
			failure.update(update);
			lastSaid = wordsIn(update) ?? lastSaid;
			const told = update._meta?.['_claude/rateLimit'];
			limit = told === undefined ? limit : limitOfClaude(told);
			count.update(update);
			const usedTool = activity.running() !== undefined;
			if (isNoticed) {
				speech.pause();
				activity.update(update);
				speech.pause();
			} else {
				activity.update(update);
			}

			if (usedTool && activity.running() === undefined) {
				count.toolsEnded();
				void tell();
			}
		},
		permission: asked => {
			speech.breakLine();
			const call = activity.tool(asked.toolCall);
			return watchdog.during(async () => {
				const answer = await gate.ask(asked, call);
				if (call !== undefined && isRejection(asked, answer)) {
					activity.refused(call.id);
					// The agent must read the refusal before the reason.
					setImmediate(explain);
				}

				return answer;
			});
		},
	});

	const messages = new Map<Reply, (came: boolean) => void>();
	let telling = false;
	let isOver = false;
	/** Sends the person's messages, one after the other; those that the agent didn't accept are sent after its next tool. */
	const tell = async (): Promise<void> => {
		if (telling) {
			return;
		}

		telling = true;
		for (const [message, settle] of messages) {
			const mayHear = !stopping && !hasReported && activity.running() === undefined;
			if (!mayHear || !(await conversation.say?.(replyBlock(message)))) {
				break;
			}

			messages.delete(message);
			settle(true);
		}

		telling = false;
	};

	// Wait for the end of a running tool: the agent would move it to the background to listen.
	const explain = async (): Promise<void> => {
		if (undelivered.length === 0 || stopping || activity.running() !== undefined) {
			return;
		}

		const refusals = undelivered.splice(0);
		const told = refusals.map(asNotice);
		if (await conversation.say?.(noticeBlock(told))) {
			gate.explained(refusals);
			options.onExplained?.(told);
		}
	};

	/** Runs the agent's own commands; a failed one is reported, and the turn continues. */
	const runCommands = async (): Promise<void> => {
		for (const command of options.commands ?? []) {
			if (stopping) {
				return;
			}

			await ask(command).catch((error: unknown) => {
				const why = error instanceof Error ? error.message : String(error);
				const what = `Its own command ${shortLine(command)} failed: ${shortLine(why)}`;
				options.onDetail({kind: 'unmet', what}, speech.length());
			});
		}
	};

	const converse = async (): Promise<TurnEnd> => {
		await runCommands();
		if (stopping) {
			return {by: 'exit', code: 0};
		}

		let {prompt, images = []}: Pick<AcpTurnOptions, 'prompt' | 'images'> = options;
		for (let explained = 0; ; ) {
			lastSaid = '';
			const {reason: stopReason, tokens} = await ask(prompt, images);
			const isUnknown = stopReason === 'refusal' && !hasAnswered && !stopping;
			if (isUnknown && options.onBegunAnew && (await conversation.beginAnew())) {
				({prompt, images = []} = await options.onBegunAnew());
				continue;
			}

			const trouble = failure.trouble(thisMoment());
			const cut =
				cutShort(stopReason) ??
				(tokens === undefined ? failedBy(lastSaid, conversation) : undefined) ??
				(trouble === undefined ? undefined : failedOf(trouble, conversation.login));
			if (cut !== undefined) {
				return cut;
			}

			const refusals = gate.takeUnexplained(stopReason);
			if (stopping || refusals.length === 0 || explained === maximumExplanations) {
				return {by: 'exit', code: 0};
			}

			explained++;
			prompt = refusalPrompt(refusals);
			images = [];
			options.onExplained?.(refusals.map(asNotice));
		}
	};

	const ended = (async (): Promise<TurnOutcome> => {
		const {end, ...rest} = await converse().then(
			end => ({end, survivors: []}),
			error => outcomeOf(conversation, error),
		);
		conversation.listen(undefined);
		watchdog.end();
		gate.close();
		isOver = true;
		for (const settle of messages.values()) {
			settle(false);
		}

		await speech.end();
		const lastWords = hasReported ? undefined : speech.lastLine();
		return {
			...rest,
			end: stopping ? {by: 'stopped'} : hasReported ? unharmed(end) : withLimit(end, limit),
			...defined({lastWords}),
		};
	})();

	const interrupt = async (patienceMs: number): Promise<boolean> => {
		stopping = true;
		gate.close();
		conversation.cancel();
		return settles(ended, patienceMs);
	};

	return {
		pid: conversation.pid,
		startTime: conversation.startTime,
		ended,
		...(conversation.say === undefined ? {} : {takesWords: true as const}),
		reply: async replies => {
			// Replies to a call that is gone come with the next prompt, and so do late ones.
			if (isOver || replies.some(({heading}) => heading !== 'MESSAGE')) {
				return false;
			}

			const told = replies.map(
				reply => new Promise<boolean>(settle => messages.set(reply, settle)),
			);
			void tell();
			return (await Promise.all(told)).every(came => came);
		},
		told: speech.pause,
		permit: gate.permit,
		interrupt: async () => {
			if (!(await interrupt(interruptMs))) {
				await conversation.end();
			}

			await ended;
		},
		stop: async () => {
			await interrupt(cancelMs);
			await conversation.end();
			await ended;
		},
	};
};

/** Returns the failure in the last words of an agent that ends its turn as if it had succeeded. */
const failedBy = (words: string, {failsBy, login}: Conversation): FailedEnd | undefined =>
	failsBy !== undefined && words.startsWith(failsBy)
		? failedOf(troubleInWords(words.slice(failsBy.length), thisMoment()), login)
		: undefined;

const isNotice = (update: SessionUpdate, {notices}: Conversation): boolean =>
	notices?.test(wordsIn(update) ?? '') ?? false;

const wordsIn = (update: SessionUpdate): string | undefined =>
	update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
		? update.content.text
		: undefined;

const asNotice = ({title, why}: Refusal): AgentNotice => ({kind: 'refused', what: title, why});

/** Updates that prove that the model answers; agents send modes, commands and titles without it. */
const answers: ReadonlySet<SessionUpdate['sessionUpdate']> = new Set([
	'agent_message_chunk',
	'agent_thought_chunk',
	'tool_call',
	'tool_call_update',
	'plan',
] as const);

/** Returns whether a signal explains why an agent stops. */
const isWordOnTheTurn = (signal: Signal): boolean => meaningOf(signal).kind !== 'informs';

/** Returns the failure of a turn whose agent stopped before it was done. */
const cutShort = (reason: StopReason): FailedEnd | undefined => {
	switch (reason) {
		case 'refusal':
			return {
				by: 'error',
				cause: 'its model refused to answer the prompt',
				trouble: {kind: 'refused', said: reason},
			};
		case 'max_tokens':
			return {
				by: 'error',
				cause: 'its model reached its token limit for a turn',
				trouble: {kind: 'limit', said: reason},
			};
		case 'max_turn_requests':
			return {
				by: 'error',
				cause: 'it reached its limit of model requests for a turn',
				trouble: {kind: 'limit', said: reason},
			};
		case 'end_turn':
		case 'cancelled':
			return undefined;
	}
};

/** Treats a model failure as success if the agent has reported its status in the turn. */
const unharmed = (end: TurnEnd): TurnEnd =>
	end.by === 'error' && end.trouble !== undefined ? {by: 'exit', code: 0} : end;

/** Returns the outcome of a failed prompt, from the agent's error or the end of its process. */
const outcomeOf = async (conversation: Conversation, error: unknown): Promise<TurnOutcome> => {
	if (!conversation.isGone()) {
		return {end: turnEndOf(error, undefined, conversation.login), survivors: []};
	}

	const outcome = await conversation.end();
	return {...outcome, end: turnEndOf(error, outcome, conversation.login)};
};

/** Returns the prompt for an agent that stopped because of a refusal, since the protocol has no field for the reason. */
const refusalPrompt = (refusals: readonly Refusal[]): string =>
	[
		'REFUSED',
		...refusals.map(({title, why}) => `- ${oneLine(title)}: ${oneLine(why)}`),
		'',
		'Your turn was cut off by that. Go on without it, in your scope. If you need it, ask with SCOPE_REQUEST or CLARIFICATION_NEEDED and end your turn; if your subtask is done, end with a COMPLETION_REPORT.',
	].join('\n');

/** Detects in Codex's updates that its turn failed. */
export type CodexFailure = {
	readonly update: (update: SessionUpdate) => void;
	/** Returns the trouble that made its turn fail, if it did. */
	readonly trouble: (moment: Moment) => ModelTrouble | undefined;
};

const metaSchema = z.object({
	codex: z.object({
		threadStatus: z.object({type: z.string()}).optional().catch(undefined),
		error: z
			.object({
				message: z.string(),
				codexErrorInfo: z.unknown(),
				additionalDetails: z.string().nullish(),
				willRetry: z.boolean().optional().catch(undefined),
			})
			.optional()
			.catch(undefined),
	}),
});

/**
Creates a detector for failures of Codex.

Its adapter answers a failed prompt like a successful one. Before that it reports each retry, with whose reason `onRetry` is called; then that the conversation has an error, and then its last message, as words of the agent.
*/
export const createCodexFailure = (onRetry: (why: string) => void = () => {}): CodexFailure => {
	const heard: {info?: unknown; details?: string; words?: string; failed: boolean} = {
		failed: false,
	};
	const forget = (): void => {
		heard.failed = false;
		delete heard.info;
		delete heard.details;
		delete heard.words;
	};

	return {
		update: update => {
			if (update.sessionUpdate === 'agent_message_chunk') {
				if (heard.failed && update.content.type === 'text') {
					heard.words = `${heard.words ?? ''}${update.content.text}`;
				} else {
					// It writes again, so its retry has succeeded.
					forget();
				}

				return;
			}

			if (update.sessionUpdate !== 'session_info_update') {
				return;
			}

			const {threadStatus, error} = metaSchema.safeParse(update._meta).data?.codex ?? {};
			if (error !== undefined) {
				heard.info = error.codexErrorInfo;
				heard.details = error.additionalDetails ?? error.message;
				if (error.willRetry === true) {
					onRetry(retryText(error));
				}
			}

			if (threadStatus?.type === 'systemError') {
				heard.failed = true;
			} else if (threadStatus?.type === 'active') {
				forget();
			}
		},
		trouble: moment =>
			heard.failed
				? troubleOfCodex(
						heard.info,
						(heard.words ?? heard.details ?? 'it did not say which').trim(),
						moment,
					)
				: undefined,
	};
};

type Retry = {readonly message: string; readonly additionalDetails?: string | null | undefined};

/** Returns the count and the reason, as far as Codex gives them: `Reconnecting... 3/5: unexpected status 529`. */
const retryText = ({message, additionalDetails}: Retry): string =>
	shortLine(additionalDetails == null ? message : `${message}: ${additionalDetails}`);
