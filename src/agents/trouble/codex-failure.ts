import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {ModelTrouble} from './model-trouble.ts';
import {troubleOfCodex} from './read-error.ts';

/** Hears in Codex's updates whether its turn comes to nothing. */
export type CodexFailure = {
	readonly update: (update: SessionUpdate) => void;
	/** Returns what its turn failed of, once it has. */
	readonly trouble: () => ModelTrouble | undefined;
};

const metaSchema = z.object({
	codex: z.object({
		threadStatus: z.object({type: z.string()}).optional().catch(undefined),
		error: z
			.object({
				message: z.string(),
				codexErrorInfo: z.unknown(),
				additionalDetails: z.string().nullish(),
			})
			.optional()
			.catch(undefined),
	}),
});

/**
Creates what hears a failure of Codex.

Its adapter answers a prompt that failed as one that ended well. Before that it tells of each try that it makes anew, then that the conversation is in error, and then what was said last, as words of the agent.
*/
export const createCodexFailure = (): CodexFailure => {
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
					// It speaks, so what it tried anew has succeeded.
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
			}

			if (threadStatus?.type === 'systemError') {
				heard.failed = true;
			} else if (threadStatus?.type === 'active') {
				forget();
			}
		},
		trouble: () =>
			heard.failed
				? troubleOfCodex(
						heard.info,
						(heard.words ?? heard.details ?? 'it did not say which').trim(),
					)
				: undefined,
	};
};
