import type {Silence} from '../events/event.ts';
import type {Missing, NotCleared, RestartFinding, SlowGit} from '../events/kinds/machine-event.ts';
import {bytesText} from '../lib/text/sanitize.ts';
import {enumerated, withoutStop} from '../lib/text/words.ts';
import type {Moment} from '../lib/zoned-time.ts';
import {silenceOf} from '../state/select.ts';
import type {State} from '../state/state.ts';
import {modelWaitOf} from './effects/model-retry.ts';
import {limitText, limitWaitOf} from './limit-wait.ts';

/** A notice about the machine, beside the inbox. */
export type Notice = {
	readonly level: 'info' | 'warn';
	readonly text: string;
	/** Commands that can help. */
	readonly hints?: readonly string[];
};

/** Returns all notices, the most urgent first. */
export const noticesOf = (state: State, moment: Moment): readonly Notice[] => [
	...diskNotice(state),
	...waitingNotice(state),
	...interruptedNotice(state),
	...survivorNotices(state),
	...limitNotices(state, moment),
	...modelNotices(state),
	...silenceNotices(state),
	...[...state.documents, ...state.questionFiles].map(text => ({level: 'warn' as const, text})),
	...(state.found === null ? [] : [{level: 'info' as const, text: foundText(state.found)}]),
];

const diskNotice = ({disk}: State): readonly Notice[] => {
	if (disk === null) {
		return [];
	}

	const left = `${bytesText(disk.free)} left on the disk of ${disk.folder}`;
	return [
		disk.level === 'full'
			? {level: 'warn', text: `${left}: agents and commands are paused until there is more.`}
			: {level: 'warn', text: `${left}; agents and commands are paused at 256 MiB.`},
	];
};

const waitingNotice = ({waiting}: State): readonly Notice[] =>
	waiting === null ? [] : [{level: 'warn', text: slowGitText(waiting)}];

/** Returns a sentence about the program that a git process waits for in the person's repository. */
export const slowGitText = ({command, program}: SlowGit): string =>
	program === null
		? `${command} takes long in your repository.`
		: `${command} waits for "${program.command}" (process ${program.pid}), which your git config names.`;

/** Returns a notice about an interrupted move of the target whose remains can't be cleared from the person's checkout yet. */
export const interruptedNotice = ({interrupted, notCleared}: State): readonly Notice[] =>
	interrupted.length === 0 || notCleared === null
		? []
		: [{level: 'warn', text: notClearedText(notCleared)}];

/** Returns the reason for that, and advice for the person. */
export const notClearedText = ({message, hint}: NotCleared): string =>
	`A merge or an undo was cut off, and its traces are still in your checkout. ${withoutStop(message)}. ${hint}`;

const survivorNotices = ({survivors}: State): readonly Notice[] =>
	survivors.map(({agent, pid, command}) => ({
		level: 'warn',
		text: `${agent ?? 'A check'} left a process that still runs: ${pid} ${command}`,
	}));

/** Names the command to continue: a person may know the reset time better, or have another login. */
const limitNotices = (state: State, moment: Moment): readonly Notice[] =>
	state.loginLimits.flatMap(limit => {
		const waiting = state.agents.filter(agent => limitWaitOf(state, agent) === limit);
		const [first] = waiting;
		const ids = enumerated(waiting.map(({id}) => id));
		return first === undefined
			? []
			: [
					{
						level: 'warn',
						text: `${limitText(limit, moment)}; ${ids} ${waiting.length === 1 ? 'goes' : 'go'} on ${limit.isUnknown ? 'if it is over' : 'by then'}`,
						hints: [
							`to try at once: delegate-tui agent ${first.id} resume`,
							`with another agent: delegate-tui agent ${first.id} restart --agent NAME`,
						],
					},
				];
	});

/** Explains why an agent makes no progress while it waits for its model; it needs no help. */
const modelNotices = (state: State): readonly Notice[] =>
	state.agents.flatMap(agent => {
		const retry = modelWaitOf(state, agent);
		return retry === undefined || retry.limit !== undefined
			? []
			: [
					{
						level: 'warn',
						text: `${agent.id} ${retry.why}; to try at once: delegate-tui agent ${agent.id} resume`,
					},
				];
	});

const silenceNotices = (state: State): readonly Notice[] =>
	state.agents.flatMap(agent => {
		const silence = silenceOf(state, agent);
		return silence === undefined
			? []
			: [{level: 'warn', text: `${agent.id}: ${silenceText(silence)}.`}];
	});

/** Returns the time since which an agent has sent nothing, in UTC like the log. */
export const silenceText = ({since, during}: Silence): string =>
	`no word from it since ${since.slice(11, 19)} UTC${during === undefined ? '' : `, in the middle of: ${during}`}`;

/** Returns a sentence about a restart's findings and its reaction. */
export const foundText = ({
	lost,
	interrupted,
	ended,
	torn,
	missing = [],
	unfinished = [],
}: RestartFinding): string => {
	const parts = [
		...lost.map(
			({agent, snapshot}) =>
				`${agent} resumes from ${snapshot === null ? 'its worktree' : `its worktree (last snapshot ${snapshot})`}`,
		),
		...unfinished.map(
			({agent, doing}) =>
				`the worktree of ${agent} was being ${doing} when the last supervisor ended, and is repaired before it goes on`,
		),
		...interrupted.map(what => interruptedTexts[what]),
		...(ended.length === 0 ? [] : [leftOver(ended.length)]),
		...(torn === undefined
			? []
			: [`the end of the journal was torn, and the torn part is kept in ${torn}`]),
		...missing.map(missingText),
	];
	return `The supervisor ended and was started again: ${parts.join('; ')}.`;
};

const interruptedTexts: Readonly<Record<RestartFinding['interrupted'][number], string>> = {
	check: 'the check is run again',
	publication: 'the merge is looked at and finished',
	undo: 'the undo is looked at and finished',
};

const missingText = (missing: Missing): string => {
	const {agent} = missing;
	switch (missing.what) {
		case 'worktree':
			return `the worktree of ${agent} was removed and is recreated before it goes on`;
		case 'git':
			return `the git folder of ${agent} was removed, so its own commits are gone; its files and snapshots are not`;
		case 'snapshots':
			return `${missing.numbers.length === 1 ? 'snapshot' : 'snapshots'} ${missing.numbers.join(', ')} of ${agent} ${missing.numbers.length === 1 ? 'was' : 'were'} removed from the store and can’t be brought back`;
	}
};

const leftOver = (count: number): string =>
	count === 1 ? '1 leftover process was ended' : `${count} leftover processes were ended`;
