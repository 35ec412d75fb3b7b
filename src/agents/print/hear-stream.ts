import type {ModelLimit} from '../../events/model-trouble.ts';
import type {StreamVendor} from '../../events/plan.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {createLineSplitter} from '../../lib/text/lines.ts';
import {yieldToEventLoop} from '../../lib/yield-to-event-loop.ts';
import {type Detail, type OnDetail, trackActivity} from '../acp/speech/activity.ts';
import {createSpeech, pacedSpeech, type SpeechOptions} from '../acp/speech/speech.ts';
import {keepStream} from '../turn.ts';
import {readClaude} from './claude.ts';
import {readCodex} from './codex.ts';
import {readGemini} from './gemini.ts';
import {readOpencode} from './opencode.ts';
import type {ReadLine, StreamEvent} from './stream-event.ts';

const readers: Readonly<Record<StreamVendor, ReadLine>> = {
	claude: readClaude,
	codex: readCodex,
	gemini: readGemini,
	opencode: readOpencode,
};

export type StreamOptions = SpeechOptions & {
	readonly vendor: StreamVendor;
	readonly onDetail: OnDetail;
	/** Called for what shows that its model has answered. */
	readonly onAnswer?: () => void;
};

/** Why a run came to nothing. */
type StreamFailure = {readonly cause: string; readonly limit: ModelLimit | undefined};

/** Names what is printed between the lines of the stream; it stands in no message. */
const plainLines = 'plain lines';

/** Longest line that is read, in characters; a longer one is of no use, since it was cut. */
const maximumLength = 8 * 1024 * 1024;

/**
Hears an agent that prints a JSON stream: its words go to the transcript and are searched for signals, the stream as it came is kept beside.

Each line is read as JSON first, since a signal's lines are one string in there. A line that is no JSON is taken as words. Returns why the run came to nothing, and the limit that it met, when the agent tells so: its exit code may be 0 all the same.
*/
export const hearStream = async (
	stdout: AsyncIterable<Uint8Array>,
	options: StreamOptions,
): Promise<StreamFailure | undefined> => {
	const heard: {cause?: string; limit?: ModelLimit | undefined; conversation?: string} = {};
	/** Drops repeated conversation ids: some agents send one with every line. */
	const isNews = (detail: Detail): boolean => {
		const isKnown = detail.kind === 'conversation' && detail.id === heard.conversation;
		if (detail.kind === 'conversation') {
			heard.conversation = detail.id;
		}

		return !isKnown;
	};

	const speech = pacedSpeech(createSpeech(options));
	const activity = trackActivity({speech, onDetail: options.onDetail, onTool: () => {}});
	const read = readers[options.vendor];
	const lines = createLineSplitter({
		maxLength: maximumLength,
		onLine: (text, _, cut) => {
			if (cut) {
				return;
			}

			// Only a map is an event; a number or a word on a line of its own is no more than that.
			const line = readJsonObject(text);
			if (line === undefined) {
				speech.hear(`${text}\n`, plainLines);
				return;
			}

			for (const told of read(line)) {
				if (isAnswer(told)) {
					options.onAnswer?.();
				}

				if (told.kind !== 'update' || told.update.sessionUpdate !== 'agent_message_chunk') {
					speech.pause();
				}

				if (told.kind === 'update') {
					activity.update(told.update);
				} else if (told.kind === 'failure') {
					heard.cause = told.cause;
				} else if (told.kind === 'limit') {
					heard.limit = told.limit;
				} else if (isNews(told.detail)) {
					options.onDetail(told.detail, speech.length());
				}
			}
		},
	});

	try {
		await keepStream(yieldToEventLoop(stdout), `${options.transcript}.ndjson`, lines.push);
	} finally {
		lines.end();
		await speech.end();
	}

	const {cause, limit} = heard;
	return cause === undefined ? undefined : {cause, limit};
};

/** An agent tells of its conversation and of tries that failed before its model has said a word. */
const isAnswer = (told: StreamEvent): boolean =>
	told.kind === 'update' || (told.kind === 'detail' && told.detail.kind === 'thought');
