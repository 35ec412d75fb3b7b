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
	/** Called for each event that proves that its model has answered. */
	readonly onAnswer?: () => void;
};

/** Reason why a run failed. */
type StreamFailure = {readonly cause: string; readonly limit: ModelLimit | undefined};

/** Key of text between the lines of the stream, which belongs to no message. */
const plainLines = 'plain lines';

/** Maximum length of a line, in characters; a longer one is cut, and so useless. */
const maximumLength = 8 * 1024 * 1024;

/**
Reads the JSON stream of an agent: its words go to the transcript and are searched for signals, and the raw stream goes to a file beside it.

Each line is first parsed as JSON, since the lines of a signal are one string in it. Other lines count as words. Returns the failure and the limit that the agent reports: its exit code may be 0 anyway.
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

			// Only an object is an event; a number or a string on its own line is text.
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

/** Returns whether an event proves that the model has answered: agents report their conversation and failed tries before. */
const isAnswer = (told: StreamEvent): boolean =>
	told.kind === 'update' || (told.kind === 'detail' && told.detail.kind === 'thought');
