import type {Writable} from 'node:stream';
import type {StreamVendor} from '../events/plan.ts';
import {endInput, writeTo} from '../lib/process/pipe.ts';
import {yieldToEventLoop} from '../lib/yield-to-event-loop.ts';
import type {Signal} from '../signals/index.ts';
import {createParser} from '../signals/parser/parser.ts';
import {type FailedEnd, failedInWords, withLimit} from './acp/cause.ts';
import type {Quirks} from './acp/quirks.ts';
import type {OnDetail} from './acp/speech/activity.ts';
import type {SpeechOptions} from './acp/speech/speech.ts';
import {hearStream, type StreamOptions} from './print/hear-stream.ts';
import {replyBlock} from './resume/reply-block.ts';
import {killDelayMs, type Spawn, spawnAgent} from './spawn-agent.ts';
import {type AgentTurn, keepStream, withoutMentions} from './turn.ts';
import {createWatchdog, type SilenceOptions} from './watchdog.ts';

/** Options of one run of a text agent; its stderr goes to a file beside its transcript. */
export type TextTurnOptions = Omit<Spawn, 'complaints'> & {
	readonly prompt: string;
	/** True if its input stays open for replies. */
	readonly keepInput: boolean;
	/** Vendor whose JSON stream it prints; absent if it prints plain words. */
	readonly stream?: StreamVendor;
	/** Quirks of the agent's vendor. */
	readonly quirks?: Pick<Quirks, 'login' | 'expandsMentions'>;
	/** Called for events of a stream besides words. */
	readonly onDetail?: OnDetail;
} & SpeechOptions &
	SilenceOptions;

/**
Starts a command as an agent, in its own process group: its prompt on stdin, its signals on stdout.

Its turn ends with its process. Rejects with a `Failure` if the program can't be started.
*/
export const startTextTurn = async (options: TextTurnOptions): Promise<AgentTurn> => {
	const agent = await spawnAgent({...options, complaints: `${options.transcript}.err`});
	giveInput(agent.stdin, options);
	let stopped = false;
	let isTold = false;
	const {stream, firstMs, onQuiet, onAnswer, ...others} = options;
	// Plain words may all come at the end; only a stream shows whether a model has begun to answer.
	const watchdog = createWatchdog(stream === undefined ? others : options);
	const ended = (async () => {
		const stdout = watched(agent.stdout, () => watchdog.heard(stream === undefined));
		const takeTold = (): boolean => {
			const was = isTold;
			isTold = false;
			return was;
		};
		const heard =
			stream === undefined
				? hear(inPassages(stdout, takeTold), options)
				: hearEvents(stdout, {...options, vendor: stream, onAnswer: () => watchdog.heard()});
		const outcome = await agent.cleared(heard).finally(watchdog.end);
		if (stopped) {
			return {...outcome, end: {by: 'stopped'} as const};
		}

		// An error while reading the output has been thrown by now.
		const failed = await heard;
		return failed === undefined ? outcome : {...outcome, end: failed};
	})();

	const told = (): void => {
		isTold = true;
	};

	const stop = async (): Promise<void> => {
		stopped = true;
		await agent.end(killDelayMs);
		await ended;
	};

	return {
		pid: agent.pid,
		startTime: agent.startTime,
		ended,
		reply: async replies => {
			told();
			writeTo(agent.stdin, `${replies.map(replyBlock).join('\n\n')}\n[/REPLY]\n`);
			return true;
		},
		told,
		// It never asks before it acts.
		permit: () => {},
		// Its turn is its process.
		interrupt: stop,
		stop,
	};
};

const giveInput = (stdin: Writable, options: TextTurnOptions): void => {
	const prompt = withoutMentions(options.prompt, options.quirks);
	if (options.keepInput) {
		// Only this line marks the end of the prompt, so no earlier line may look like it.
		writeTo(stdin, prompt.replaceAll(/^\[\/PROMPT\]/gm, ' $&'));
		writeTo(stdin, `${prompt.endsWith('\n') ? '' : '\n'}[/PROMPT]\n`);
	} else {
		endInput(stdin, prompt);
	}
};

async function* watched(
	stdout: AsyncIterable<Uint8Array>,
	heard: () => void,
): AsyncIterable<Uint8Array> {
	for await (const piece of stdout) {
		heard();
		yield piece;
	}
}

/** Ends the current line when the agent gets a reply: its prompt for input has no newline, and the text after it is separate output. */
async function* inPassages(
	stdout: AsyncIterable<Uint8Array>,
	takeTold: () => boolean,
): AsyncIterable<Uint8Array> {
	let isInLine = false;
	for await (const piece of stdout) {
		if (takeTold() && isInLine) {
			yield lineEnd;
		}

		yield piece;
		isInLine = piece.at(-1) !== lineEnd[0];
	}
}

const lineEnd = Buffer.from('\n');

/** Writes all bytes to the transcript before searching them for signals. */
const hear = async (
	stdout: AsyncIterable<Uint8Array>,
	options: TextTurnOptions,
): Promise<undefined> => {
	const parser = createParser({expect: options.expect});
	let offset = 0;
	try {
		await keepStream(yieldToEventLoop(stdout), options.transcript, piece => {
			offset += piece.length;
			hand(parser.push(piece), offset, options);
		});
	} finally {
		hand(parser.end(), offset, options);
	}
};

/** Returns the failure of a run, which its exit code may not show. */
const hearEvents = async (
	stdout: AsyncIterable<Uint8Array>,
	options: TextTurnOptions & Pick<StreamOptions, 'vendor' | 'onAnswer'>,
): Promise<FailedEnd | undefined> => {
	const {onDetail = () => {}, quirks} = options;
	const failed = await hearStream(stdout, {...options, onDetail});
	return failed && withLimit(failedInWords(failed.cause, quirks?.login), failed.limit);
};

const hand = (signals: readonly Signal[], offset: number, {onSignal}: TextTurnOptions): void => {
	for (const signal of signals) {
		onSignal(signal, offset);
	}
};
