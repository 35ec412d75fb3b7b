import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {defined, isSame} from '../../../lib/values.ts';
import {type Denied, denialsIn, outputIn} from './denials.ts';
import type {Speech} from './speech.ts';
import {type ToolCall, type ToolDiff, withNews} from './tool-call.ts';

/** An agent's update besides its words, only for display and statistics. */
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
			readonly diffs?: readonly ToolDiff[];
			/** Time since its first update, in milliseconds; only at its end. */
			readonly durationMs?: number;
	  })
	| {
			readonly kind: 'tokens';
			readonly input?: number;
			readonly output?: number;
			readonly total?: number;
			readonly cost?: {readonly amount: number; readonly currency: string};
	  }
	/** A request was refused without asking a person; `about` names the tool call. */
	| {readonly kind: 'refusal'; readonly about: string; readonly title: string}
	/** A tool could not reach a path, according to its output. */
	| ({readonly kind: 'denied'} & Denied)
	/** An error message that the agent received; `about` names the tool call, if it was one. */
	| {readonly kind: 'trouble'; readonly about: string; readonly text: string}
	/** It retries its model by itself, for this reason. */
	| {readonly kind: 'retrying'; readonly why: string}
	/** A setting of the plan that the agent doesn't support. */
	| {readonly kind: 'unmet'; readonly what: string}
	| {readonly kind: 'introduction'; readonly name: string; readonly version: string}
	/** The agent's name for the conversation. */
	| {readonly kind: 'conversation'; readonly id: string}
	| {
			readonly kind: 'usage';
			readonly used: number;
			readonly size: number;
			readonly cost?: {readonly amount: number; readonly currency: string};
	  };

/** Called for each detail, with the length of the transcript before it, in bytes. */
export type OnDetail = (detail: Detail, offset: number) => void;

type Activity = {
	readonly update: (update: SessionUpdate) => void;
	/** Handles an update of a tool call in a permission request, and returns all that is known about the call. */
	readonly tool: (news: unknown) => ToolCall | undefined;
	/** Returns the title of the running tool, if any. */
	readonly running: () => string | undefined;
	/** Handles the refusal of a tool call; some agents never report its end. */
	readonly refused: (id: string) => void;
};

export type ActivityParts = {
	readonly speech: Omit<Speech, 'endPrompt' | 'lastLine' | 'end'>;
	readonly onDetail: OnDetail;
	/** Called when an agent starts to use a tool. */
	readonly onTool: () => void;
	/** Returns the current time in milliseconds. */
	readonly now?: () => number;
};

type Known = {readonly call: ToolCall; readonly since: number};

/** Dispatches an agent's updates: words to its speech, all others to `onDetail`. */
export const trackActivity = (parts: ActivityParts): Activity => {
	const {speech, onTool, now = Date.now} = parts;
	const onDetail = (detail: Detail): void => parts.onDetail(detail, speech.length());
	const tools = new Map<string, Known>();

	const tool = (news: unknown): ToolCall | undefined => {
		const known = tools.get(idOf(news));
		const call = withNews(known?.call, news);
		if (call === undefined) {
			return undefined;
		}

		const since = known?.since ?? now();
		tools.set(call.id, {call, since});
		if (known === undefined) {
			speech.breakLine();
			onTool();
		} else if (hasEnded(call) && !hasEnded(known.call)) {
			speech.pause();
		}

		// Agents repeat earlier updates.
		if (!isSame(call, known?.call)) {
			const took = hasEnded(call) ? {durationMs: now() - since} : {};
			onDetail({...toolDetail(call, known?.call), ...took});
		}

		return call;
	};

	return {
		tool,
		running: () => [...tools.values()].findLast(({call}) => !hasEnded(call))?.call.title,
		refused: id => {
			const call = tools.get(id)?.call;
			if (call !== undefined && !hasEnded(call)) {
				tool({toolCallId: id, status: 'failed'});
			}
		},
		update: update => {
			switch (update.sessionUpdate) {
				case 'agent_message_chunk':
					if (update.content.type === 'text') {
						speech.hear(update.content.text, update.messageId);
					}

					return;
				case 'user_message_chunk':
					speech.breakLine();
					return;
				case 'agent_thought_chunk':
					if (update.content.type === 'text') {
						const message = defined({message: update.messageId ?? undefined});
						onDetail({kind: 'thought', text: update.content.text, ...message});
					}

					return;
				case 'tool_call':
				case 'tool_call_update':
					tool(update);
					for (const denied of denialsIn(outputIn(update))) {
						onDetail({kind: 'denied', ...denied});
					}

					return;
				case 'plan':
					onDetail({
						kind: 'plan',
						entries: update.entries.map(({content, priority, status}) => ({
							content,
							priority,
							status,
						})),
					});
					return;
				case 'usage_update': {
					const cost = defined({cost: update.cost ?? undefined});
					onDetail({kind: 'usage', used: update.used, size: update.size, ...cost});
					return;
				}

				default:
					// Modes, commands and titles are only for an editor's menus.
					return;
			}
		},
	};
};

const idOf = (news: unknown): string =>
	typeof news === 'object' && news !== null && 'toolCallId' in news ? String(news.toolCallId) : '';

/** Maximum length of a text in a diff, in characters. */
const maximumLength = 16 * 1024;

const hasEnded = ({status}: ToolCall): boolean => status === 'completed' || status === 'failed';

const toolDetail = (call: ToolCall, known: ToolCall | undefined): Detail => {
	const {kind, diffs, ...rest} = call;
	const isNew = diffs.length > 0 && !isSame(diffs, known?.diffs);
	return {...rest, kind: 'tool', tool: kind, ...(isNew ? {diffs: diffs.map(cut)} : {})};
};

const cut = ({path, oldText, newText}: ToolDiff): ToolDiff => ({
	path,
	oldText: oldText.slice(0, maximumLength),
	newText: newText.slice(0, maximumLength),
});
