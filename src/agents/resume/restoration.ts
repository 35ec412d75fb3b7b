import type {Reply, WorkStatus} from '../../events/reply.ts';
import {defined} from '../../lib/defined.ts';
import {oneLine} from '../one-line.ts';

/** Where the agent stood, as its worktree and its signals tell. */
export type Restoration = {
	readonly completed: string;
	readonly files: readonly string[];
	/** Files that it said are there, and that are not. */
	readonly missing?: readonly string[];
	readonly directory: string;
	readonly next: string;
	/** What comes after that, where it said so. */
	readonly afterwards?: string;
	/** The step at which it asked what it is answered now. */
	readonly blockedAt?: string;
	/** The snapshot from which the worktree was recreated, null for its beginning; absent when it was not. */
	readonly rebuilt?: number | null;
};

/** Returns the part of a prompt that tells an agent where it stands. */
export const restorationBlock = ({
	completed,
	files,
	missing = [],
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
					`Your worktree was gone. It was recreated ${rebuilt === null ? 'as it was at your start' : `from snapshot ${rebuilt}`}; what you did after that is lost, and so is what git ignores.`,
				]),
		`Completed: ${oneLine(completed)}`,
		`Files: ${files.length === 0 ? 'none changed yet' : files.map(oneLine).join(', ')}${missing.length === 0 ? '' : `; missing: ${missing.map(oneLine).join(', ')}`}`,
		`Directory: ${directory}`,
		...(blockedAt === undefined ? [] : [`Stopped at: ${oneLine(blockedAt)}`]),
		`Next task: ${oneLine(next)}`,
	].join('\n');

/** What an agent is to do next, and what after that. */
type Tasks = Pick<Restoration, 'next' | 'afterwards'>;

/** Returns what an agent is to do next, by what it is told and where it stood; its goal where nothing says more. */
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

/** Returns how what comes after a piece of work is named that is not done here. */
export const whatFollows = (work: string | undefined): string =>
	work === undefined ? 'what comes after it' : `what comes after "${oneLine(work)}"`;

/** Returns how far agents are by their own words where they were answered: the words of each once. */
export const completedIn = (statuses: readonly WorkStatus[]): readonly string[] => [
	...new Set(
		statuses.flatMap(({currentState, completed}) => [
			...(currentState === undefined ? [] : [currentState]),
			...(completed === undefined ? [] : [completed]),
		]),
	),
];
