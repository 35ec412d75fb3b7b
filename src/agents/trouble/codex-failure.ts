import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {ModelTrouble} from '../../events/model-trouble.ts';
import type {Moment} from '../../lib/zoned-time.ts';
import {shortLine} from '../one-line.ts';
import {troubleOfCodex} from './read-error.ts';

/** Hears in Codex's updates whether its turn comes to nothing. */
export type CodexFailure = {
	readonly update: (update: SessionUpdate) => void;
	/** Returns what its turn failed of, once it has. */
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
Creates what hears a failure of Codex.

Its adapter answers a prompt that failed as one that ended well. Before that it tells of each try that it makes, which `onRetry` is called for with the reason; then that the conversation is in error, and then what was said last, as words of the agent.
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
					// It speaks, so what it tried again has succeeded.
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

/** Says how often, then why, as far as Codex does: `Reconnecting... 3/5: unexpected status 529`. */
const retryText = ({message, additionalDetails}: Retry): string =>
	shortLine(additionalDetails == null ? message : `${message}: ${additionalDetails}`);
