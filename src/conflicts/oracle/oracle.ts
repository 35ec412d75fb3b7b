import {totalmem} from 'node:os';
import type {TypeLimits} from '../../events/event.ts';
import type {Store} from '../../git/store/store.ts';
import {Failure} from '../../lib/failure.ts';
import {bytesText} from '../../lib/text/sanitize.ts';
import {counted} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import type {Evidence} from '../finding.ts';

/** An error that a checker tells of a tree. */
export type Diagnosis = {
	/** The file, from the root of the tree. */
	readonly path: string;
	/** Counts from 1. */
	readonly line: number;
	/** The checker's own name of the error, `TS2554` for example; empty where it has none. */
	readonly code: string;
	readonly text: string;
};

/** Returns each error once: a file may belong to several projects or targets. */
export const unique = (errors: readonly Diagnosis[]): readonly Diagnosis[] => [
	...new Map(errors.map(error => [JSON.stringify(error), error])).values(),
];

export type OracleContext = {
	/** Holds the trees to check. */
	readonly store: Store;
	/** The person's checkout, whose own tools are preferred to ours; absent for a bare repository. */
	readonly checkout?: string;
	/** Whether a checker may run code of the trees, as build scripts are. */
	readonly runsCode: boolean;
	/** Returns how much a checker that heeds a budget may read and use, where that is not `defaultBudget` and nobody says otherwise. */
	readonly budget?: () => Partial<CheckerBudget>;
	/** A file in a folder of its own in which a checker may keep what spares the next process a look at the whole tree. */
	readonly kept?: string;
	/** Says how a checker is started; without it just as its command. */
	readonly shutIn?: ShutIn;
};

/** Keeps a checker from what is not its business: what it reads may be an agent's, and so may what it runs. */
export type ShutIn = (work: {
	readonly command: readonly string[];
	/** The folder that it works in; without one it reads the store alone. */
	readonly tree?: string;
	/** A folder that it may write besides. */
	readonly keeps?: string;
}) => Promise<Start>;

/** How a command is started. */
export type Start = {
	/** All of it, with what stands before it. */
	readonly words: readonly string[];
	readonly env: NodeJS.ProcessEnv;
};

export const startsPlainly: ShutIn = async ({command}) => ({words: command, env: process.env});

/** How much a checker may read and use before it is stopped. */
export type CheckerBudget = {
	/** A tree with no more source files is checked whole. */
	readonly whole: number;
	/** How many files of a larger one may be read: those that were changed, what imports them, and what all of these import. */
	readonly files: number;
	readonly bytes: number;
	/** What it may have in memory with all that it starts, in bytes. */
	readonly memory: number;
	/** How long it may work on a merge, in seconds. */
	readonly seconds: number;
};

export const defaultBudget: CheckerBudget = {
	whole: 500,
	files: 3000,
	bytes: 32 * 2 ** 20,
	memory: 2 ** 30,
	// A large project takes half a minute at first; one that takes much longer is of no use to whoever waits.
	seconds: 120,
};

/** Widens a budget to all of the repository, within half an hour and half of the machine's memory where it doesn't say more. */
export const wholeRepository = ({
	memory = 0,
	seconds = 0,
}: Partial<CheckerBudget>): CheckerBudget => ({
	...{whole: Number.MAX_SAFE_INTEGER, files: Number.MAX_SAFE_INTEGER},
	bytes: Number.MAX_SAFE_INTEGER,
	memory: Math.max(memory, defaultBudget.memory, Math.floor(totalmem() / 2)),
	seconds: Math.max(seconds, 1800),
});

/** Returns a budget as a person writes it, with MiB. */
export const budgetOf = ({files, read, memory, seconds}: TypeLimits): Partial<CheckerBudget> => ({
	...(files === undefined ? {} : {files, whole: Math.min(files, defaultBudget.whole)}),
	...defined({
		bytes: read && read * 2 ** 20,
		memory: memory && memory * 2 ** 20,
		seconds,
	}),
});

/** Returns what a promise brings, unless the signal aborts before; then it is waited for no longer. */
export const unlessAborted = <Result>(
	promise: Promise<Result>,
	signal: AbortSignal | undefined,
): Promise<Result> =>
	signal === undefined
		? promise
		: new Promise((resolve, reject) => {
				const abort = () => reject(signal.reason);
				signal.addEventListener('abort', abort, {once: true});
				if (signal.aborted) {
					abort();
				}

				promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
			});

/** A checker would have to read or use more than it may; that says nothing about another comparison. */
export class OverBudget extends Failure {
	readonly needs: {readonly files: number} | {readonly memory: number};

	constructor(needs: OverBudget['needs']) {
		super(
			'refused',
			'files' in needs
				? `${counted(needs.files, 'file')} would have to be read, more than the limit.`
				: `It needed more than ${bytesText(needs.memory)} of memory.`,
		);
		this.needs = needs;
	}
}

export type Checked = {
	readonly errors: readonly Diagnosis[];
	/** The files that it read whole, to their end: where it says nothing of one, nothing is wrong with it. */
	readonly covered: ReadonlySet<string>;
	/** Those of the errors that the tree certainly has by itself, where packages that it depends on are missing; all of them if unset. */
	readonly own?: readonly Diagnosis[];
	/** Whether only what concerns the trees around it was looked at. */
	readonly isPart?: boolean;
};

/** A checker at work; it remembers what it needs to check the next tree faster. */
export type Oracle = {
	readonly version: string;
	/**
	Checks a tree.

	@param around The trees that it is compared with and itself, their base first.
	@param budget What it may read and use, where that is not what the context says.

	@throws `OverBudget` when that is too much, another `Failure` when the checker can't say, or what the signal was aborted with.
	*/
	check(
		tree: string,
		signal: AbortSignal,
		around?: readonly string[],
		budget?: Partial<CheckerBudget>,
	): Promise<Checked>;
	close(): Promise<void>;
};

/** A project's own type checker, asked what two changes break together. */
export type OraclePlugin = {
	readonly name: string;
	/** Whether it has something to say of a file. */
	serves(path: string): boolean;
	/** It is a command that runs code of the trees: asked only where there is time for that, and what it can't say of one tree it may say of another. */
	readonly runsTrees?: true;
	/** Whether it keeps to a `CheckerBudget`; others only have a time. */
	readonly heedsBudget?: true;
	/** How long it may work on a merge, in milliseconds, where that is longer than others may. */
	readonly patienceMs?: number;
	/** Starts it, until `signal` aborts; `undefined` where it isn't installed. */
	start(context: OracleContext, signal?: AbortSignal): Promise<Oracle | undefined>;
};

/** A line that a side added or took out. */
export type ChangedLine = {
	readonly path: string;
	readonly line: number;
	readonly text: string;
	readonly removed: boolean;
};

/** All lines that a side changed. */
export type ChangedLines = readonly ChangedLine[];

/** The lines that tell where an error comes from. */
export type MergedLines = {
	/** Returns a line of the merged tree. */
	at(path: string, line: number): string;
	readonly a: ChangedLines;
	readonly b: ChangedLines;
};

/**
Returns a line of each side for an error that only their merge has.

A side that wrote the line on which the error stands shows that. For the other one a checker names no place, so it shows the line that it changed which shares the most words with the error: as a rule the declaration that is used wrongly.
*/
export const evidenceFor = (
	trace: Pick<Diagnosis, 'path' | 'line' | 'text'>,
	sides: MergedLines,
): readonly Evidence[] => {
	const wrong = sides.at(trace.path, trace.line).trim();
	const words = wordsOf(trace.text);
	return (['a', 'b'] as const).map(side => {
		const changed = sides[side];
		const own = changed.find(
			({path, text, removed}) => !removed && path === trace.path && text.trim() === wrong,
		);
		const shown = own ?? mostAlike(changed, words);
		return shown === undefined ? {side, path: trace.path} : evidenceOf(side, shown);
	});
};

const evidenceOf = (side: 'a' | 'b', {path, line, text, removed}: ChangedLine): Evidence => ({
	side,
	path,
	line,
	text: text.slice(0, mostCharacters),
	...(removed ? {removed} : {}),
});

const mostCharacters = 500;

const mostAlike = (changed: ChangedLines, words: ReadonlySet<string>): ChangedLine | undefined => {
	const [first, ...others] = changed;
	if (first === undefined) {
		return;
	}

	const shared = ({text}: ChangedLine) => [...wordsOf(text)].filter(word => words.has(word)).length;
	let [best, most] = [first, shared(first)];
	for (const line of others) {
		const count = shared(line);
		if (count > most) {
			[best, most] = [line, count];
		}
	}

	return best;
};

const wordsOf = (text: string): ReadonlySet<string> =>
	new Set((text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter(word => !common.has(word)));

/** Words that lines of most languages share. */
const common = new Set(
	'a as async await but class const def export fn for from func function got if import in is let new not number of or pub return string that the this to type var void with'.split(
		' ',
	),
);
