import type {ModelTrouble} from '../events/model-trouble.ts';
import type {Reply} from '../events/reply.ts';
import {type Notice, noticeBlock} from './notice-block.ts';
import {oneLine} from './one-line.ts';

/** What a resume prompt is printed from. */
export type Resume = {
	/** Decisions that the agent waited for; none when only its turn was lost. */
	readonly replies: readonly Reply[];
	/** What was found on disk, just before the prompt is sent. */
	readonly restoration: Restoration;
	/** What its last turn came to nothing of, if it was trouble with its model. */
	readonly trouble?: ModelTrouble;
	/** What was refused and put back, and was not told yet. */
	readonly notices?: readonly Notice[];
	/** Signals of the last turn that could not be read, with what was wrong. */
	readonly unreadable: readonly {readonly line: number; readonly reason: string}[];
	/** Files that hold conflict markers for the agent to resolve. */
	readonly conflicts: readonly string[];
	/** What collides with the work of others by now, as sentences with the lines of both sides. */
	readonly collisions: readonly string[];
};

/** Where the agent stood, as its worktree and its signals tell. */
export type Restoration = {
	readonly completed: string;
	readonly files: readonly string[];
	readonly directory: string;
	readonly next: string;
	/** The step at which it asked what it is answered now. */
	readonly blockedAt?: string;
	/** The snapshot from which the worktree was made anew, null for its beginning; absent when it was not. */
	readonly rebuilt?: number | null;
};

/** Returns the prompt that takes up an agent's work again; `PROTOCOL, Resume prompts`. */
export const resumePrompt = (resume: Resume): string =>
	[
		...resume.replies.map(replyBlock),
		...resumed(resume),
		...noticed(resume),
		...unreadable(resume.unreadable),
		...collisionBlock(resume.collisions),
		restorationBlock(resume.restoration),
		instructions(resume),
	].join('\n\n');

/** Who is told a decision needs no other reason to go on; that a model failed explains what stands in the conversation. */
const resumed = ({replies, trouble}: Resume): readonly string[] => {
	if (trouble !== undefined) {
		return [
			`RESUMED\nYour last turn was cut off by trouble with your model, not by anything you did (${oneLine(trouble.said)}); nothing you wrote was lost.`,
		];
	}

	return replies.length === 0
		? ['RESUMED\nYour last turn was cut off; nothing you wrote was lost.']
		: [];
};

/** Returns the prompt for an agent that ended its turn without a word on how its subtask stands. */
export const reminderPrompt = (resume: Omit<Resume, 'replies' | 'conflicts' | 'trouble'>): string =>
	[
		'REMINDER\nYour last turn ended without a COMPLETION_REPORT. If your subtask is done, say so with one; if not, finish it first.',
		...noticed(resume),
		...unreadable(resume.unreadable),
		...collisionBlock(resume.collisions),
		restorationBlock(resume.restoration),
	].join('\n\n');

/** Returns the words in which one decision is told. */
export const replyBlock = (reply: Reply): string => {
	const about = oneLine(reply.about);
	const text = oneLine(reply.text);
	switch (reply.heading) {
		case 'CLARIFICATION RESPONSE':
			return block(reply, [
				...(reply.checkpoint === undefined || reply.escalated === undefined
					? []
					: [
							`Resume workflow from checkpoint: ${oneLine(reply.checkpoint)}. User selected: ${text}. Continue implementation.`,
						]),
				`Question: ${about}`,
				`ANSWER ${oneLine(reply.question ?? reply.item)}: ${text}`,
			]);
		case 'BLOCKER RESOLVED':
			return block(reply, [
				`Issue: ${about}`,
				`Resolution: ${text || 'the person says it is resolved'}`,
			]);
		case 'ERROR FIXED':
			return block(reply, [
				`Issue: ${about}`,
				`Applied fix: ${text || 'none was needed'}`,
				'Restore from: your worktree as it is',
				`Retry: ${about}`,
			]);
		case 'SKIP':
			return block(reply, [
				`Skip: ${about}`,
				...(text === '' ? [] : [`Note: ${text}`]),
				'The supervisor logs it as skipped. Continue with what comes after it.',
			]);
		case 'PARTIAL RESUME':
			return block(reply, [
				`Delegated: ${about}`,
				`Decision: ${text}`,
				'Skip that part and continue with the next one.',
			]);
		case 'DELEGATION APPROVED':
			return block(reply, [
				`Task: ${about}`,
				`Decision: ${text}`,
				'Coordination: leave that task to the new agent.',
			]);
		case 'DELEGATION REJECTED':
			return block(reply, [`Task: ${about}`, `Why: ${text || 'no reason was given'}`]);
		case 'SCOPE DECISION':
			return block(reply, [`Paths: ${about}`, `Decision: ${text}`]);
		case 'CHECKPOINT REVIEWED':
			return block(reply, [text === '' ? 'Continue.' : `Note: ${text}`]);
		case 'REVIEW FEEDBACK':
			return block(reply, [...(about === '' ? [] : [about]), `Feedback: ${text || 'none'}`]);
		case 'MERGE CONFLICT':
			return block(reply, [`Conflict: ${about}`, ...(text === '' ? [] : [`Note: ${text}`])]);
		case 'TIME EXTENDED':
			return block(reply, [text === '' ? 'You have more time.' : `Note: ${text}`]);
		case 'MESSAGE':
			return block(reply, [
				`The person says: ${text}`,
				...(reply.cutsShort ? ['Your turn was cut short for this; what you wrote is there.'] : []),
			]);
		case 'STARTED ANEW':
			return block(reply, [`What happened: ${text}`]);
		case 'LET GO ON':
			return block(reply, [
				'The person had paused you and lets you go on; what you wrote is there.',
				...(text === '' ? [] : [`Note: ${text}`]),
			]);
	}
};

/** Words of others stand behind a label of ours, so that an agent that echoes its prompt can't say a signal with them. */
const block = ({heading}: Reply, body: readonly string[]): string => [heading, ...body].join('\n');

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

const restorationBlock = ({
	completed,
	files,
	directory,
	next,
	blockedAt,
	rebuilt,
}: Restoration): string =>
	[
		'STATE RESTORATION',
		...(rebuilt === undefined
			? []
			: [
					`Your worktree was gone. It was made anew ${rebuilt === null ? 'as it was at your start' : `from snapshot ${rebuilt}`}; what you did after that is lost, and so is what git ignores.`,
				]),
		`Completed: ${oneLine(completed)}`,
		`Files: ${files.length === 0 ? 'none changed yet' : files.map(oneLine).join(', ')}`,
		`Directory: ${directory}`,
		...(blockedAt === undefined ? [] : [`Stopped at: ${oneLine(blockedAt)}`]),
		`Next task: ${oneLine(next)}`,
	].join('\n');

const instructions = ({conflicts}: Resume): string =>
	[
		'RESUME INSTRUCTIONS',
		...(conflicts.length === 0
			? []
			: [
					`These files hold conflict markers between your work and what it now stands on; resolve them so that both intents live: ${conflicts.map(oneLine).join(', ')}`,
				]),
		'Verify the files above, continue with the next task, and end with a COMPLETION_REPORT.',
	].join('\n');
