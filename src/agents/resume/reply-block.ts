import type {Ran, Reply, WorkStatus} from '../../events/reply.ts';
import {defined} from '../../lib/values.ts';
import {oneLine} from '../turn.ts';

/** Returns a block of a prompt about one decision. */
export const replyBlock = (reply: Reply): string =>
	// Others' words follow a label of ours, so that an agent that echoes its prompt doesn't say a signal with them.
	[reply.heading, ...bodyOf(reply)].join('\n');

const whereYouStand =
	'Begin nothing new: say in a minute, by a checkpoint, what is done and what is not, and end your turn. The person then decides whether you go on.';

const bodyOf = (reply: Reply): readonly string[] => {
	const about = oneLine(reply.about);
	const text = oneLine(reply.text);
	const note = text === '' ? [] : [`Note: ${text}`];
	switch (reply.heading) {
		case 'CLARIFICATION RESPONSE':
			return answered(reply, about, text);
		case 'BLOCKER RESOLVED':
			return [
				`Issue: ${about}`,
				...(reply.ran === undefined
					? [`Resolution: ${text || 'the person says it is resolved'}`]
					: [...ranLines(reply.ran), ...note]),
			];
		case 'ERROR FIXED':
			return [
				`Issue: ${about}`,
				`Applied fix: ${text || 'none was named'}`,
				`Restore from: ${reply.from === undefined ? 'your worktree as it was left' : `snapshot ${reply.from}, which your worktree was set back to`}`,
				`Retry: ${oneLine(reply.work ?? reply.about)}`,
			];
		case 'SKIP':
			return skipped(reply, note);
		case 'PARTIAL RESUME':
			return [...delegated(reply, note), `Skip that part, and continue with ${goOn(reply)}`];
		case 'DELEGATION APPROVED':
			return [...delegated(reply, note), ...coordinated(reply)];
		case 'DELEGATION REJECTED':
			return [`Task: ${about}`, `Why: ${text || 'no reason was given'}`];
		case 'SCOPE DECISION':
			return [`Paths: ${about}`, `Decision: ${text}`];
		case 'CHECKPOINT REVIEWED':
			return text === '' ? ['Continue.'] : note;
		case 'REVIEW FEEDBACK':
			return [...(about === '' ? [] : [about]), `Feedback: ${text || 'none'}`];
		case 'MERGE CONFLICT':
			return [`Conflict: ${about}`, ...note];
		case 'TIME LIMIT':
			return [`Your time is used up. ${whereYouStand}`];
		case 'TOKEN LIMIT':
			return [`Your tokens are used up. ${whereYouStand}`];
		case 'TIME EXTENDED':
			return text === '' ? [`You have more ${about || 'time'}.`] : note;
		case 'MESSAGE':
			return [
				reply.command
					? `The person had you run a command of your own just before this: ${text}`
					: `The person says: ${text}`,
				...(reply.cutsShort ? ['Your turn was cut short for this; what you wrote is there.'] : []),
			];
		case 'STARTED ANEW':
			return [`What happened: ${text}`];
		case 'LET GO ON':
			return ['The person had paused you and lets you go on; what you wrote is there.', ...note];
	}
};

const answered = (reply: Reply, about: string, text: string): readonly string[] => [
	...(reply.checkpoint === undefined || reply.escalated === undefined
		? []
		: [
				`Resume workflow from checkpoint: ${oneLine(reply.checkpoint)}. User selected: ${text}. Continue implementation.`,
			]),
	`Question: ${about}`,
	`ANSWER ${oneLine(reply.question ?? reply.item)}: ${text}`,
];

/** Returns lines about a command that a person ran for the agent. */
const ranLines = ({command, code, tail}: Ran): readonly string[] => [
	`Resolution: the person had \`${oneLine(command)}\` run in your worktree; ${code === null ? 'it was ended by a signal' : `exit code ${code}`}`,
	...(tail.length === 0 ? [] : [`Its output ended: ${tail.map(oneLine).join(' / ')}`]),
];

const skipped = (reply: Reply, note: readonly string[]): readonly string[] => [
	`Skip: ${oneLine(reply.work ?? reply.about)}`,
	...note,
	'It is logged in SKIPPED_ITEMS.md, which the supervisor keeps.',
	`Continue with ${goOn(reply)}`,
];

const goOn = ({work, about, workStatus}: Reply): string => {
	const next = workStatus?.next === work ? undefined : workStatus?.next;
	return `${next === undefined ? whatFollows(work ?? about) : oneLine(next)}.`;
};

/** Names the new agent's task if it differs from the requested one. */
const delegated = (reply: Reply, note: readonly string[]): readonly string[] => {
	const task = oneLine(reply.work ?? reply.about);
	const {newAgent} = reply;
	const given = newAgent === undefined ? task : oneLine(newAgent.subtask);
	return [
		`${reply.heading === 'PARTIAL RESUME' ? 'Delegated' : 'Task'}: ${task}`,
		...(newAgent === undefined
			? []
			: [`New agent: ${newAgent.id}${given === task ? '' : `, which was given: ${given}`}`]),
		...(reply.results?.apart === undefined
			? []
			: [`Its files could not be put under your work: ${oneLine(reply.results.apart)}`]),
		...note,
	];
};

const coordinated = ({coordination, newAgent}: Reply): readonly string[] => [
	`Coordination: ${coordination === undefined ? `leave that task to ${newAgent?.id ?? 'the new agent'}.` : oneLine(coordination)}`,
];

/** State of an agent's work, according to its worktree and its signals. */
export type Restoration = {
	readonly completed: string;
	readonly files: readonly string[];
	/** Files that it claimed to exist and that don't. */
	readonly missing?: readonly string[];
	readonly directory: string;
	/** Agents whose work was merged into the target and isn't in its worktree. */
	readonly merged?: readonly string[];
	readonly next: string;
	/** The step after that, if the agent named one. */
	readonly afterwards?: string;
	/** Step at which it asked the question that is answered now. */
	readonly blockedAt?: string;
	/** Snapshot from which the worktree was recreated, null for its baseline; absent if it wasn't. */
	readonly rebuilt?: number | null;
};

/** Returns the block of a prompt about the state of an agent's work. */
export const restorationBlock = ({
	completed,
	files,
	missing = [],
	directory,
	merged = [],
	next,
	blockedAt,
	rebuilt,
}: Restoration): string =>
	[
		'STATE RESTORATION',
		...(rebuilt === undefined
			? []
			: [
					`Your worktree was gone. It was recreated ${rebuilt === null ? 'as it was at your start' : `from snapshot ${rebuilt}`}; what you did after that is lost, and so is what git ignores.`,
				]),
		`Completed: ${oneLine(completed)}`,
		`Files: ${files.length === 0 ? 'none changed yet' : files.map(oneLine).join(', ')}${missing.length === 0 ? '' : `; missing: ${missing.map(oneLine).join(', ')}`}`,
		`Directory: ${directory}`,
		...(merged.length === 0
			? []
			: [
					`Merged meanwhile: ${merged.map(oneLine).join('; ')}. Your worktree stands where it stood and does not have that; your work is merged onto it later.`,
				]),
		...(blockedAt === undefined ? [] : [`Stopped at: ${oneLine(blockedAt)}`]),
		`Next task: ${oneLine(next)}`,
	].join('\n');

/** An agent's next task, and the one after that. */
type Tasks = Pick<Restoration, 'next' | 'afterwards'>;

/** Returns an agent's next tasks, according to the replies and its last status; its goal if these name none. */
export const tasksAfter = (replies: readonly Reply[], goal: string): Tasks => {
	const reply = replies.findLast(({work, workStatus}) => (work ?? workStatus?.next) !== undefined);
	return reply === undefined ? {next: goal} : tasksOf(reply, goal);
};

const tasksOf = ({heading, work, workStatus}: Reply, goal: string): Tasks => {
	const after = work === workStatus?.next ? undefined : workStatus?.next;
	switch (heading) {
		case 'SKIP':
		case 'PARTIAL RESUME':
			return {next: after ?? whatFollows(work)};
		default:
			return work === undefined ? {next: after ?? goal} : defined({next: work, afterwards: after});
	}
};

/** Returns words for the task after a piece of work that another agent does. */
const whatFollows = (work: string | undefined): string =>
	work === undefined ? 'what comes after it' : `what comes after "${oneLine(work)}"`;

/** Returns the progress in the agent's own words, each text once. */
export const completedIn = (statuses: readonly WorkStatus[]): readonly string[] => [
	...new Set(
		statuses.flatMap(({currentState, completed}) => [
			...(currentState === undefined ? [] : [currentState]),
			...(completed === undefined ? [] : [completed]),
		]),
	),
];
