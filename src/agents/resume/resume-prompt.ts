import type {TurnEnd} from '../../events/event.ts';
import type {ModelTrouble} from '../../events/model-trouble.ts';
import type {Reply} from '../../events/reply.ts';
import {type AgentNotice, noticeBlock} from '../launch-prompt.ts';
import {oneLine} from '../turn.ts';
import {type Restoration, replyBlock, restorationBlock} from './reply-block.ts';

export type Resume = {
	/** Decisions that the agent waited for; empty if only its turn was lost. */
	readonly replies: readonly Reply[];
	/** Results that the agent waited for, as `resultsBlock` prints them. */
	readonly results?: string;
	/** Read from disk just before the prompt is sent. */
	readonly restoration: Restoration;
	/** The model failure that ended its last turn. */
	readonly trouble?: ModelTrouble;
	/** Refusals and reverts that were not delivered yet. */
	readonly notices?: readonly AgentNotice[];
	/** Invalid signals of the last turn, with the reasons. */
	readonly unreadable: readonly {readonly line: number; readonly reason: string}[];
	/** How its last turn ended; absent if it had none since it was started. */
	readonly end?: TurnEnd['by'];
	/** Files with conflict markers that the agent must resolve, with their line numbers. */
	readonly conflicts: readonly string[];
	/** Conflicts with others' work, as sentences with the lines of both sides. */
	readonly collisions: readonly string[];
};

/** Returns the prompt that resumes an agent's work; `PROTOCOL, Resume prompts`. */
export const resumePrompt = (resume: Resume): string =>
	[
		...resume.replies.map(replyBlock),
		...(resume.results === undefined ? [] : [resume.results]),
		...resumed(resume),
		...noticed(resume),
		...unreadable(resume.unreadable),
		...collisionBlock(resume.collisions),
		restorationBlock(resume.restoration),
		instructions(resume),
	].join('\n\n');

/** Says why the agent resumes; nothing if a decision is the reason. A model failure is always mentioned, since its traces are in the conversation. */
const resumed = ({replies, trouble, end, restoration}: Resume): readonly string[] => {
	if (trouble !== undefined) {
		return [
			`RESUMED\nYour last turn was cut off by trouble with your model, not by anything you did (${oneLine(trouble.said)}); nothing you wrote was lost.`,
		];
	}

	return replies.length > 0 ? [] : [`RESUMED\n${whyResumed(end, restoration)}`];
};

/** Returns the reason; if the worktree was recreated, the restoration block describes the loss. */
const whyResumed = (end: Resume['end'], {rebuilt}: Restoration): string => {
	const kept = rebuilt === undefined ? '; what you wrote is in your worktree' : '';
	switch (end) {
		case 'lost':
			return `Your last turn was cut off, since the supervisor itself was gone${kept}.`;
		case 'stopped':
			return `Your last turn was ended from outside${kept}.`;
		case 'exit':
		case 'signal':
		case 'error':
			return 'Nothing holds you up any more.';
		case undefined:
			return 'An attempt before this one was started and came to nothing.';
	}
};

/** Returns the prompt for an agent that ended its turn without reporting the status of its subtask. */
export const reminderPrompt = (
	resume: Omit<Resume, 'replies' | 'conflicts' | 'trouble' | 'end'>,
): string =>
	[
		'REMINDER\nYour last turn ended without a COMPLETION_REPORT. If your subtask is done, say so with one; if not, finish it first.',
		...noticed(resume),
		...unreadable(resume.unreadable),
		...collisionBlock(resume.collisions),
		restorationBlock(resume.restoration),
	].join('\n\n');

const noticed = ({notices = []}: Pick<Resume, 'notices'>): readonly string[] =>
	notices.length === 0 ? [] : [noticeBlock(notices)];

const unreadable = (signals: Resume['unreadable']): readonly string[] =>
	signals.length === 0
		? []
		: [
				[
					'UNREADABLE SIGNALS',
					...signals.map(({line, reason}) => `- line ${line} of what you said: ${oneLine(reason)}`),
				].join('\n'),
			];

const collisionBlock = (collisions: Resume['collisions']): readonly string[] =>
	collisions.length === 0
		? []
		: [
				[
					'COLLISION WITH OTHER WORK',
					'As both stand now, this can’t be merged. Change your side if that is easy and right; else go on, and the person will decide.',
					...collisions.map(words => `- ${oneLine(words)}`),
				].join('\n'),
			];

const instructions = ({conflicts, replies, restoration: {afterwards}}: Resume): string =>
	[
		'RESUME INSTRUCTIONS',
		...(conflicts.length === 0
			? []
			: [
					`These files hold conflict markers between your work and what it now stands on; resolve them so that both intents live: ${conflicts.map(oneLine).join(', ')}`,
				]),
		replies.some(({heading}) => heading === 'TIME LIMIT' || heading === 'TOKEN LIMIT')
			? 'Verify the files above, say where you stand by a checkpoint, and end your turn.'
			: `Verify the files above, continue with the next task, ${afterwards === undefined ? '' : `then proceed to ${oneLine(afterwards)}, `}and end with a COMPLETION_REPORT.`,
	].join('\n');
