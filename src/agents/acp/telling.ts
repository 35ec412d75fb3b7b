import type {SessionUpdate} from '@agentclientprotocol/sdk';
import type {Speech} from './speech.ts';
import {type Diff, type ToolCall, withNews} from './tool-call.ts';

/** What an agent tells of itself besides its words; it is shown and never decides anything. */
export type Detail =
	| {readonly kind: 'thought'; readonly text: string; readonly message?: string}
	| {
			readonly kind: 'plan';
			readonly entries: readonly {content: string; priority: string; status: string}[];
	  }
	| (Omit<ToolCall, 'kind' | 'diffs'> & {
			readonly kind: 'tool';
			readonly tool: ToolCall['kind'];
			/** Only in the line in which they are new; long texts are cut. */
			readonly diffs?: readonly Diff[];
	  })
	| {
			readonly kind: 'usage';
			readonly used: number;
			readonly size: number;
			readonly cost?: {readonly amount: number; readonly currency: string};
	  };

/** Takes an agent's news in one turn. */
export type Telling = {
	readonly update: (update: SessionUpdate) => void;
	/** Takes news of a tool call that came in a request for leave, and returns all that is known of it. */
	readonly tool: (news: unknown) => ToolCall | undefined;
};

export type TellingParts = {
	readonly speech: Speech;
	readonly onDetail: (detail: Detail) => void;
	/** Called when an agent begins to use a tool. */
	readonly onTool: () => void;
};

/** Sorts an agent's news: words to its speech, the rest to whoever shows it. */
export const createTelling = ({speech, onDetail, onTool}: TellingParts): Telling => {
	const tools = new Map<string, ToolCall>();

	const tool = (news: unknown): ToolCall | undefined => {
		const known = tools.get(idOf(news));
		const call = withNews(known, news);
		if (call === undefined) {
			return undefined;
		}

		tools.set(call.id, call);
		if (known === undefined) {
			speech.pause();
			onTool();
		}

		if (!isSame(call, known)) {
			onDetail(toolDetail(call, known));
		}

		return call;
	};

	return {
		tool,
		update: update => {
			switch (update.sessionUpdate) {
				case 'agent_message_chunk':
					if (update.content.type === 'text') {
						speech.hear(update.content.text, update.messageId);
					}

					return;
				case 'agent_thought_chunk':
					if (update.content.type === 'text') {
						const message = update.messageId == null ? {} : {message: update.messageId};
						onDetail({kind: 'thought', text: update.content.text, ...message});
					}

					return;
				case 'tool_call':
				case 'tool_call_update':
					tool(update);
					return;
				case 'plan':
					onDetail({kind: 'plan', entries: update.entries.map(plainEntry)});
					return;
				case 'usage_update': {
					const cost = update.cost == null ? {} : {cost: update.cost};
					onDetail({kind: 'usage', used: update.used, size: update.size, ...cost});
					return;
				}

				default:
					// Modes, commands and titles matter to an editor's menus, not here.
					return;
			}
		},
	};
};

const idOf = (news: unknown): string =>
	typeof news === 'object' && news !== null && 'toolCallId' in news ? String(news.toolCallId) : '';

const plainEntry = ({
	content,
	priority,
	status,
}: {
	content: string;
	priority: string;
	status: string;
}) => ({
	content,
	priority,
	status,
});

/** Longest text of a diff that is passed on, in characters. */
const maximumLength = 16 * 1024;

const toolDetail = (call: ToolCall, known: ToolCall | undefined): Detail => {
	const {kind, diffs, ...rest} = call;
	const isNew = diffs.length > 0 && !isSame(diffs, known?.diffs);
	return {...rest, kind: 'tool', tool: kind, ...(isNew ? {diffs: diffs.map(cut)} : {})};
};

/** Agents say again what they have said. */
const isSame = (one: unknown, other: unknown): boolean =>
	JSON.stringify(one) === JSON.stringify(other);

const cut = ({path, oldText, newText}: Diff): Diff => ({
	path,
	oldText: oldText.slice(0, maximumLength),
	newText: newText.slice(0, maximumLength),
});
